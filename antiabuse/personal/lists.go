package personal

import "strings"

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}

// freeMail are providers of mailboxes for everyone, and their families of domains without the ending.
var (
	freeMail = wordSet("gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io tuta.com " +
		"gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de arcor.de posteo.de posteo.net mailbox.org kabelmail.de online.de vodafone.de 1und1.de " +
		"orange.fr wanadoo.fr free.fr sfr.fr laposte.net bbox.fr neuf.fr libero.it virgilio.it tiscali.it alice.it tim.it tin.it " +
		"telefonica.net terra.es terra.com.br uol.com.br bol.com.br ig.com.br globo.com sapo.pt wp.pl o2.pl onet.pl op.pl interia.pl poczta.onet.pl gazeta.pl " +
		"seznam.cz centrum.cz email.cz azet.sk abv.bg mail.bg ukr.net i.ua mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru " +
		"qq.com 163.com 126.com sina.com sina.cn sohu.com foxmail.com yeah.net 139.com 189.cn aliyun.com naver.com daum.net hanmail.net nate.com kakao.com " +
		"docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp nifty.com rediffmail.com " +
		"btinternet.com ntlworld.com sky.com talktalk.net virginmedia.com blueyonder.co.uk comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net " +
		"optonline.net shaw.ca rogers.com sympatico.ca telus.net bigpond.com optusnet.com.au xtra.co.nz ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl telenet.be skynet.be " +
		"bluewin.ch hispeed.ch sunrise.ch aon.at chello.at telia.com bredband.net online.no tdcadsl.dk jubii.dk fastmail.com fastmail.fm hey.com zoho.com zohomail.eu mail.com email.com inbox.com hushmail.com " +
		"riseup.net disroot.org cock.li mailfence.com duck.com privaterelay.appleid.com rocketmail.com ymail.com walla.co.il walla.com nana.co.il mynet.com superonline.com runbox.com kolabnow.com startmail.com")
	freeMailFamilies = wordSet("yahoo hotmail outlook live gmx yandex googlemail tutanota windowslive")
)

// FreeMail reports whether a domain gives mailboxes to everyone.
func FreeMail(domain string) bool { return isFreeMail(strings.ToLower(domain)) }

func isFreeMail(domain string) bool {
	if freeMail[domain] {
		return true
	}
	name, ending, _ := strings.Cut(domain, ".")
	return freeMailFamilies[name] && len(ending) <= len("co.jp") && ending != "dev" && ending != "io"
}

// roles are the names of mailboxes and accounts that belong to no person.
var roles = wordSet("abuse accounting accounts admin administrator admins adm alert alerts amavis announce api app apps apply archive automation backup billing bitbucket board booking bookings bot bots bounce bounces build builds " +
	"buildbot business cal calendar career careers cert ci cicd cloud cluster commercial committers community compliance conduct contact contacts contribute cron css customer customerservice customers daemon data database " +
	"debug default demo dependabot deploy deployer deployment dev developer developers development devnull devops devs digest dns docker docs documentation donate dpo editor editors education elastic emails enquiries errors events " +
	"exim export facilities feedback finance form forms forum foundation ftp gdpr general git github gitlab gitea grafana group groups guest hallo hello help helpdesk hola hostmaster hr http https httpd hudson img import inbox info infos inquiries " +
	"infra inquiry integration internal internship invest investor investors invoice invoices it jenkins jira job jobs join kafka kontakt kundenservice legal license licensing list lists listserv log logs mail mailer mailerdaemon mailing mailman " +
	"maintainer maintainers management marketing master media meet member members membership metrics mirror moderator monitor monitoring mysql nagios news newsletter nginx nobody node noc notification notifications notify noreply null office " +
	"oncall operations operator ops oracle order orders org owner partner partners partnership payment payments payroll platform policy post postgres postgresql postmaster prefect presse press pr privacy prod production procurement product " +
	"project projects prometheus promo protection proxy public purchasing qa queue rabbitmq reception recruiting recruitment redis register registrar registry release releases renovate reply report reporting reports request requests research " +
	"reservation reservations returns root runner sales sandbox scanner school search secretary security semantic sender server servers service services sftp shipping shop signup sip smtp snyk social software sos spam sponsor sponsors sre ssh ssl staff staging " +
	"stats status store studio subscribe subscription subscriptions support sync sys sysadmin syslog system systems team teams tech technical test tester testing tests ticket tickets tls token tools tracker training travis trust ubuntu undisclosed unsubscribe update updates " +
	"uucp vagrant vendor vendors verify voicemail vpn vulnerability vulnerabilities warehouse web webadmin webmaster webservice website welcome wiki workers work www zabbix zookeeper psirt cve secure disclosure bug bugs bounty service-account serviceaccount svc svn cvs " +
	"datenschutz buchhaltung personal bewerbung vertrieb einkauf verwaltung impressum redaktion ventas soporte ayuda contacto facturacion reclamos atencion contabilidad aide contactez assistance comptabilite vendas suporte financeiro assistenza amministrazione vendite ufficio biuro sekretariat pomoc verkoop klantenservice administratie steun")

// placeholders stand for any mailbox.
var placeholders = wordSet("user username name email mail your-email youremail your.email your_email your.name yourname your-name you me someone somebody anyone nobody someuser foo bar baz foobar qux john.doe jane.doe johndoe janedoe john_doe jane_doe j.doe jdoe joe doe " +
	"max.mustermann mustermann erika.mustermann jean.dupont juan.perez mario.rossi jan.kowalski alice bob carol charlie mallory eve test tester test.user testuser test_user user1 example sample dummy fake first.last firstname.lastname first_last firstname lastname " +
	"your.name my.email myemail email.address emailaddress recipient sender to from account myname login placeholder user.name some.user a b c x y z abc xyz asdf xxx xxxx aaa student employee person customer client")

// firstNames are frequent ones: who has a mailbox with such a name at a company is a person.
var firstNames = wordSet("aaron abdul adam adrian agnes ahmed aiko alan albert alejandro alessandro alex alexander alexandra alexei alfred ali alicia alina amanda amara amelie amina amir amy ana anastasia andre andrea andreas andrei andrew andrzej angela " +
	"anita anja anke ann anna anne annika anthony antoine anton antonio arjun arthur ashley astrid aurelie axel barbara beata beatriz ben benjamin bernd bernhard bianca bjorn boris brandon brian brigitte bruno camille carla carlos carmen caroline caterina " +
	"catherine cecilia celine chantal charles charlotte chen chiara chidi chloe chris christian christina christine christoph christophe christopher claire clara claudia colin cristina daniel daniela danielle dariusz dave david deborah denis dennis diana " +
	"diego dieter dirk dmitri dmitry dominik dominique donald dora dorota doris eduardo edward ekaterina elena eleni eli elif elisa elisabeth elizabeth ella elsa emil emilia emily emma emmanuel enrique eric erik erika ernst esther eva evelyn ewa fabian " +
	"fabio fatima felix fernanda fernando filip florian francesca francesco francisco francois frank franz fred frederic frederik friedrich fritz gabriel gabriela geoffrey georg george georgi gerald gerhard giorgio giovanni giulia giuseppe grace greg gregory " +
	"grzegorz guillaume guido gustavo hana hanna hannah hans harald harry hassan heather heidi heike heinz helen helena helene helga henri henrik henry herbert hiroshi holger hugo ian ibrahim igor ines inga ingrid irene irina isabel isabella ivan jack jacob " +
	"jacques jakob jakub james jamie jan jana jane janet jaroslav jason javier jean jeff jennifer jens jeremy jessica jesus jie jill joachim joan joana joanna joao jochen joe johan johann johanna johannes john jon jonas jonathan jorge jose josef joseph joshua " +
	"juan juergen julia julian julie julien juliette jun jutta karen karin karl karol karolina kaspar katarina katarzyna kate katharina katherine kathrin katja kazuo keith kelly ken kenji kenneth kevin kim klaus konstantin krzysztof kurt kyle lara lars laura " +
	"laurent lea leo leon leonardo liang lin linda lisa liu lorenzo louis louise luca lucas lucia lucy ludwig luis luisa lukas lukasz maciej maja malgorzata manuel marc marcel marcin marco marcus marek margaret margarita maria mariana marie marina mario marion " +
	"mark marko markus marta martha martin martina mary mateo mateusz mathieu matteo matthew matthias maurice mauro max maximilian mehmet mei melanie melissa mia michael michaela michal michel michelle miguel mike mikhail milan miriam mohamed mohammed monica " +
	"monika murat nadia nadine nancy naomi natalia natalie nathan neil nick nicola nicolas nicole niels nikita niklas nikolai nils nina noah noor nora norbert oleg olga oliver olivia olivier omar oscar oskar pablo paolo pascal patricia patrick paul paula paulo " +
	"pavel pedro peter petra philip philipp philippe pierre piotr priya rachel rafael rahul raj ralf ralph ramona raul rebecca regina reinhard renata rene ricardo richard rita rob robert roberta roberto robin roger roland rolf roman rosa ruth ryan sabine " +
	"sabrina sam samantha samuel sandra santiago sara sarah scott sean sebastian serge sergei sergey sergio shannon silke silvia simon simone sofia sophia sophie stefan stefania stefanie stefano stephan stephanie stephen steve steven sue sunita susan susanne " +
	"suzanne svetlana sven sylvia sylvie takashi tamara tanja tatiana teresa theo theresa thierry thomas tim timo timothy tina tobias tom tomas tomasz tony torsten tracy ulrich ulrike ursula uwe valentina valeria vanessa vera veronica veronika victor victoria viktor " +
	"vincent viktoria vladimir volker walter wei werner wilhelm william wojtek wolfgang xavier yan yannick yasmin yuki yuri yusuf yves yvonne zhang zoe zuzana")

// commonWords are written with a capital letter and are no names of persons.
var commonWords = wordSet("the a an this that these those our your my his her their its we you he she it they i if when while after before then there here and or but for from with without about into over under at on in of to by as not no yes " +
	"monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december new old north south east west general first last next previous " +
	"customer client patient user users employee colleague engineer manager developer author reviewer contact name full mr mrs ms miss dr prof sir madam dear hello hi hey regards best kind thanks thank please note see ask call mail email phone address date birth born " +
	"google microsoft amazon apple facebook github gitlab docker kubernetes linux windows ubuntu debian python java javascript typescript postgres postgresql mysql redis chrome firefox safari android azure aws cloud open source data base machine learning deep " +
	"type error warning info debug failed success status server service system application api http https json xml html css sql rest version release update issue bug fix feature request response test build deploy pull merge commit branch main master " +
	"acme corp corporation inc ltd gmbh company group team department university institute school hospital united states kingdom european union new york san francisco los angeles berlin london paris madrid rome street road avenue square " +
	"der die das ein eine und oder mit von herr frau kunde kundin patientin unser unsere wir sie er es ich le la les un une des et avec monsieur madame el los las una y con señor señora il lo gli e signor signora o os as um uma senhor senhora pan pani de del della van von da dos du " +
	"number no customers orders order table column row field value key default global local public private static class function method object string integer float boolean null true false user-agent content length authorization bearer accept host server-side client-side")
