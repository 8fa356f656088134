//nolint:dupword,gosec,misspell // lists of words, many of them of other languages
package personal

import "maps"

// class is what a word says of what stands near it.
type class int

const (
	cardWord class = iota
	phoneWord
	visitorWord
	homeWord
	hostileWord
	companyWord
	addressKey
	birthWord
	healthWord
	streetWord
	atWord
	imeiWord
	deviceWord
	// pairFirst is a word that means something only together with the next one.
	pairFirst
	// nationalWord is for identity numbers in general.
	nationalWord
	ssnWord
	ninoWord
	nhsWord
	nirWord
	dniWord
	steuerWord
	peselWord
	tcknWord
	cpfWord
	aadhaarWord
	panWord
	nricWord
	rrnWord
	personnummerWord
	hetuWord
	bsnWord
	sinWord
	belgianWord
	cprWord
	norwegianWord
	portugueseWord
	rutWord
	southAfricanWord
	myNumberWord
	cnpWord
	rodneWord
	egnWord
	snilsWord
	tfnWord
	ppsWord
	israeliWord
	hkidWord
	taiwanWord
	amkaWord
	curpWord
	chineseWord
	ahvWord
	classCount
)

// vocabulary lists the words of each class, in small letters. Two words with a blank are a pair.
func vocabulary() map[class]string {
	out := identityWords()
	maps.Copy(out, peopleWords())
	return out
}

func identityWords() map[class]string {
	return map[class]string{
		cardWord: "card,cards,cardnumber,cardno,ccnum,ccnumber,cc,credit,creditcard,debit,visa,mastercard,amex,maestro,discover,jcb,diners,unionpay,rupay,mir,pan,cvv,cvc,cvv2,cvc2,csc,cardholder,exp,expiry,expires," +
			"karte,kreditkarte,kreditkartennummer,kartennummer,bankkarte,karteninhaber,carte,bancaire,cb,tarjeta,cartão,cartao,carta,kaart,kaartnummer,creditcardnummer,karta,karty,karcie,kartę,kort,kortnummer,kortti,kart,kartı,карта,карты,карту,карте,картой,بطاقة,البطاقة,カード,카드,卡号,卡號,信用卡,银行卡,银联",
		nationalWord:     "national id,identity number,identity card,id number,personal number,citizen id,tax id,taxpayer id,identity no,national identification,national number,identification number,government id,personal id,身份证,身份證,身分證,マイナンバー,ausweisnummer,personalausweis,personenkennzahl",
		ssnWord:          "ssn,ssns,social security,socialsecurity,ss number,ss no,taxpayer identification,seguro social",
		ninoWord:         "nino,ninos,national insurance,ni number,ni no,insurance number",
		nhsWord:          "nhs,health service,patient number,nhsnumber",
		nirWord:          "nir,insee,sécurité sociale,securite sociale,sécu,secu,numéro de,vitale",
		dniWord:          "dni,nie,nif,documento nacional,extranjero,identidad,nifs,dnis",
		steuerWord:       "steuer,steuerid,idnr,steuernummer,steueridentifikationsnummer,identifikationsnummer,steuerliche,tin,stidnr,bzst,tax id",
		peselWord:        "pesel,pesele,peselu,peselem",
		tcknWord:         "tckn,tc kimlik,kimlik,tcno,kimlikno,nüfus",
		cpfWord:          "cpf,cpfs,contribuinte,cadastro",
		aadhaarWord:      "aadhaar,aadhar,adhaar,uidai,uid,आधार",
		panWord:          "pan,permanent account,income tax,pancard",
		nricWord:         "nric,fin,ic number,ic no,singpass,nricfin",
		rrnWord:          "rrn,jumin,resident registration,주민등록번호,주민번호,주민등록,주민",
		personnummerWord: "personnummer,personnr,pnr,samordningsnummer,persnr,personal identity,swedish id,persnummer,pin number",
		hetuWord:         "hetu,henkilötunnus,henkilotunnus,sotu,sosiaaliturvatunnus,henkilötunnuksen,personal identity,hetun,personbeteckning",
		bsnWord:          "bsn,burgerservicenummer,sofinummer,sofi,sofinr,citizen service",
		sinWord:          "social insurance,insurance number,sin number,sin no,nas,assurance sociale,numéro d",
		belgianWord:      "rijksregisternummer,insz,niss,rijksregister,registre national,rrn,nrn",
		cprWord:          "cpr,cprnr,cprnummer,personnummer",
		norwegianWord:    "fødselsnummer,fodselsnummer,fnr,personnummer,fødselsnr",
		portugueseWord:   "nif,contribuinte,niss,fiscal",
		rutWord:          "rut,run,rol único,rol unico",
		southAfricanWord: "rsa id,sa id,south african,id number,identity number,idnumber",
		myNumberWord:     "mynumber,my number,マイナンバー,個人番号",
		cnpWord:          "cnp,numeric personal,codul numeric",
		rodneWord:        "rodné,rodne,rodného,rč",
		egnWord:          "egn,егн",
		snilsWord:        "snils,снилс",
		tfnWord:          "tfn,tax file,taxfile",
		ppsWord:          "pps,ppsn,pps number,personal public",
		israeliWord:      "teudat,zehut,israeli id,ת״ז,ת.ז,זהות,תעודת",
		hkidWord:         "hkid,hong kong,hk id,香港身份證,身份證",
		taiwanWord:       "身分證,身分證字號,taiwan id,roc id,統一編號",
		amkaWord:         "amka,αμκα",
		curpWord:         "curp",
		chineseWord:      "身份证,居民身份证,公民身份",
		ahvWord:          "ahv,avs,navs,navs13,ahvn13,sozialversicherungsnummer",
	}
}

func peopleWords() map[class]string {
	return map[class]string{
		phoneWord: "phone,phones,phonenumber,telephone,tel,mobile,cell,cellphone,cellular,fax,whatsapp,sms,call,called,calling,ring,dial,text me,msisdn,landline,reach,reachable,callback,contact number," +
			"telefon,telefonnummer,handy,handynummer,mobil,mobilnummer,rufnummer,anrufen,erreichbar,mobiltelefon,rückruf,téléphone,telephone,portable,joignable,appeler,appelez,tél,teléfono,móvil,celular,llamar,llame,llámame,telefone,telemóvel,ligar,ligue,fone,telefono,cellulare,chiamare,telefoon,telefoonnummer,mobiel,gsm,bellen,bel,komórka,tel,zadzwoń,dzwonić,numer,telefonu,telefonem,mobilnr,puhelin,puhelinnumero,puh,matkapuhelin,τηλέφωνο,κινητό,телефон,телефону,телефона,тел,мобильный,звонить,звоните,моб,هاتف,جوال,الهاتف,טלפון,נייד,cep,gsm,电话,電話,手机,手機,携帯,전화,전화번호,휴대폰,연락처,फोन,मोबाइल,điện thoại,โทร",
		visitorWord: "visitor,visitors,client,customer,user,users,username,login,logged,login from,signed in,remote_addr,remote,addr,remoteaddr,forwarded,session,account,subscriber,besucher,benutzer,kunde,nutzer,visiteur,utilisateur,client_ip,usuario,visitante,cliente,utente,gebruiker,użytkownik,пользователь,пользователя,посетитель,user_ip,clientip,xff,whois,attacker,offender,用户,用户端,ユーザー,사용자",
		homeWord:    "lives,live at,living at,resides,residing,resident at,home,home address,residence,apartment,private address,wohnt,wohnhaft,wohne,wohnen,wohnort,privatadresse,privatanschrift,heimadresse,habite,domicile,domicilié,domiciliée,réside,vive,vivo,reside,domicilio,abita,abito,residente,residenza,mora,moro,morada,woont,woonachtig,woonadres,thuisadres,mieszka,zamieszkały,zamieszkała,zamieszkania,bor,bostad,hemadress,bosatt,hjemmeadresse,bopæl,asuu,kotiosoite,живёт,живет,проживает,проживающий,прописан,ikamet,oturuyor,yaşıyor,يسكن,住在,住址,住所,住んで,거주,자택,사는",
		hostileWord: "visit him,visit her,teach him,teach her,expose,exposed,dox,doxx,doxxed,doxing,revenge,make him,make her,scammer,traitor,thief,liar,harass,swat,find him,find her,get him,get her,show up,pay him,pay her,knock,stalker,stalk,predator,betrüger,besucht ihn,besucht sie,verräter,escroc,estafador,truffatore,oszust,мошенник",
		companyWord: "gmbh,inc,ltd,llc,ag,kg,corp,corporation,company,plc,bv,nv,srl,spa,sarl,sas,oy,ab,aps,office,offices,headquarters,hq,store,shop,branch,warehouse,museum,hotel,restaurant,university,school,hospital,station,büro,filiale,firma,impressum,siège,sede,kantoor,biuro,registered",
		addressKey:  "address,addr,street,adresse,anschrift,dirección,direccion,indirizzo,endereço,adres,adress,adresa,адрес,homeaddress,streetaddress",
		birthWord:   "born,birth,birthday,birthdate,dateofbirth,dob,bday,geboren,geb,geburtsdatum,geburtstag,geburtsd,né,née,naissance,nacido,nacida,nacimiento,nato,nata,nascita,nascido,nascida,nascimento,geboortedatum,urodzony,urodzona,urodzenia,ur,född,fødselsdato,fødselsdag,født,födelsedatum,syntynyt,syntymäaika,родился,родилась,рождения,doğum,doğumlu,γέννησης,出生,出生日期,生年月日,生年,생년월일,출생,ميلاد,الميلاد",
		healthWord:  "diagnosed,diagnosis,hiv,suffers,pregnant,pregnancy,chemotherapy,hospitalised,hospitalized,sick leave,sick note,medical leave,cancer,depression,bipolar,schizophrenia,epilepsy,diabetes,diabetic,leukemia,alcoholic,addiction,rehab,psychiatric,antidepressants,disability,disabled,miscarriage,abortion,surgery,tumour,tumor,positive for,diagnostiziert,leidet,schwanger,krankgeschrieben,krebs,depressionen,schwerbehindert,diagnostiqué,diagnostiquée,enceinte,arrêt maladie,souffre,diagnosticado,diagnosticada,embarazada,padece,sufre,baja médica,diagnosticata,diagnosticato,incinta,soffre,malattia,grávida,zwanger,ziek,gediagnosticeerd,zdiagnozowano,choruje,ciąży,диагноз,беременна,болен,больна,страдает,hamile,teşhisi,糖尿病,诊断,怀孕,妊娠,診断,진단,임신",
		streetWord:  "street,st,avenue,ave,road,rd,lane,ln,drive,dr,boulevard,blvd,court,terrace,close,crescent,square,rue,impasse,chemin,quai,allée,place,calle,avenida,plaza,paseo,via,viale,corso,piazza,rua,travessa,ulica,ul,aleja,al,ulice,улица,ул,проспект,пр,переулок,sokak,caddesi,mahallesi,cd,sk,utca",
		atWord:      "at,ät,arroba,arobase,chiocciola,apenstaartje,małpa,malpa,klammeraffe,собака,snabel,kukac,zavináč",
		imeiWord:    "imei",
		deviceWord:  "mac,macaddress,imei,phone,laptop,device,smartphone,iphone,serial",
	}
}

// phoneRegions is where a word for phones is at home: there a number in its national form is tried first.
func phoneRegions() map[string]string {
	out := map[string]string{}
	for regions, words := range map[string][]string{
		"DE AT CH":                         {"handy", "handynummer", "telefonnummer", "rufnummer", "anrufen", "erreichbar", "mobilnummer", "mobiltelefon", "rückruf"},
		"DE AT CH PL SE CZ HU NO DK RO TR": {"telefon", "mobil"}, "FR BE CH CA": {"téléphone", "tél", "portable", "joignable", "appeler", "appelez"},
		"ES MX AR CO CL PE": {"teléfono", "móvil", "celular", "llamar", "llame", "llámame"}, "BR PT": {"telefone", "telemóvel", "ligar", "ligue", "fone"},
		"IT CH": {"telefono", "cellulare", "chiamare"}, "NL BE": {"telefoon", "telefoonnummer", "mobiel", "bellen", "bel"}, "PL": {"komórka", "zadzwoń", "dzwonić", "numer", "telefonu", "telefonem"},
		"RU UA BY KZ": {"телефон", "телефону", "телефона", "тел", "мобильный", "звонить", "звоните", "моб"}, "CN": {"电话", "手机"}, "JP TW HK": {"電話", "携帯", "手機"},
		"KR": {"전화", "전화번호", "휴대폰", "연락처"}, "FI": {"puhelin", "puhelinnumero", "puh", "matkapuhelin"}, "SE NO DK": {"mobilnr"}, "TR": {"cep"}, "GR": {"τηλέφωνο", "κινητό"},
		"EG SA AE MA": {"هاتف", "جوال", "الهاتف"}, "IL": {"טלפון", "נייד"}, "IN": {"फोन", "मोबाइल"},
	} {
		for _, word := range words {
			out[word] = regions
		}
	}
	return out
}
