//nolint:dupword,gosec,misspell // lists of words, many of them of other languages
package label

import (
	"maps"
	"strings"
	"sync"
	"unicode/utf8"
)

// class is what a word may mean in a phrase.
type class int

const (
	// pairFirst is a word that means something only together with the next one.
	pairFirst class = iota
	notWord
	overrideWord
	ignoreWord
	followWord
	priorWord
	earlierWord
	yourWord
	instructionWord
	ruleWord
	revealWord
	// revealOrder is a sentence that begins with revealing.
	revealOrder
	systemPrompt
	becomeWord
	personaWord
	attentionWord
	modelWord
	// addressedModel is a model that the sentence speaks to.
	addressedModel
	orderWord
	ifYouAreWord
	hideWord
	userWord
	sendWord
	secretWord
	webWord
	callWord
	ownTool
	beforeWord
	praiseWord
	failureWord
	rateWord
	rateVerb
	// imperativeRate is a word for rating that somebody is told to do.
	imperativeRate
	thisWord
	giveWord
	scoreWord
	hundredWord
	limitWord
	everythingWord
	aboveWord
	readingThis
	summarizing
	fromNowOn
	youMust
	newTask
	credentialFile
	yourAnswer
	trustScore
	ownNoun
	handIn
	favourable
	report
	commandWord
	classCount
)

// classes is a set of classes.
type classes uint64

func set(of ...class) (out classes) {
	for _, c := range of {
		out |= 1 << c
	}
	return out
}

func (s classes) has(c class) bool { return s>>c&1 == 1 }

// vocabulary is the words of all classes.
type vocabulary struct {
	of map[string]classes
	// ideographs are by their first character.
	ideographs map[rune][]string
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{of: map[string]classes{}, ideographs: map[rune][]string{}}
	for c, list := range lists() {
		for word := range strings.SplitSeq(list, ",") {
			v.add(strings.TrimSpace(word), c)
		}
	}
	return v
})

func (v *vocabulary) add(word string, c class) {
	if v.of[word] == 0 {
		if first, _ := utf8.DecodeRuneInString(word); first >= firstIdeograph {
			v.ideographs[first] = append(v.ideographs[first], word)
		}
	}
	v.of[word] |= set(c)
	if lead, _, ok := strings.Cut(word, " "); ok {
		v.of[lead] |= set(pairFirst)
	}
}

// fold is a word in small letters.
func (v *vocabulary) fold(word string) string {
	if word == "DAN" { // the name of a persona; in small letters it is a man's
		return "dan_persona"
	}
	return strings.ToLower(word)
}

// ideograph is the longest word that a text begins with.
func (v *vocabulary) ideograph(text string) (word string, of classes) {
	first, _ := utf8.DecodeRuneInString(text)
	for _, candidate := range v.ideographs[first] {
		if len(candidate) > len(word) && strings.HasPrefix(text, candidate) {
			word, of = candidate, v.of[candidate]
		}
	}
	return word, of
}

// lists are the words of each class in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian,
// Turkish, Arabic, Chinese, Japanese and Korean.
func lists() map[class]string {
	out := addressed()
	for _, lists := range []map[class]string{demanded(), indirect()} {
		maps.Copy(out, lists)
	}
	return out
}

func addressed() map[class]string {
	const ignoring = "ignore,ignoring,disregard,forget,pay no,ignoriere,ignorieren,ignoriert,vergiss,vergesst,missachte,missachten,ignorez,ignorer,oublie,oubliez,oublier,négligez,ignora,ignorar,ignoren,olvida,olvide,olvidar,omite,ignorem,esqueça,esquece,desconsidere," +
		"ignorate,ignorare,dimentica,dimenticate,negeer,negeren,vergeet,zignoruj,ignoruj,zapomnij,pomiń,zlekceważ,игнорируй,игнорируйте,проигнорируй,проигнорируйте,забудь,забудьте,yoksay,yok say,unut,unutun,görmezden,dikkate alma,تجاهل,تجاهلي,تجاهلوا,انس,انسى,اهمل,忽略,无视,忽視,無視,忘记,忘掉,不要理会,忘れて,忘れろ,무시,잊어,잊고"
	return map[class]string{
		notWord:      "not,never,don,dont,no,nicht,nie,niemals,pas,jamais,nunca,não,non,mai,niet,nooit,nie,nigdy,не,никогда,لا,değil,不,不要,别",
		overrideWord: "override,overrule,bypass,discard,violate,umgehe,contourne,elude,aggira,omzeil,obejdź,обойди",
		ignoreWord:   ignoring,
		followWord:   "follow,obey,heed,befolge,befolgen,suis,suivez,sigas,siga,seguire,seguir,volg,stosuj,следуй,следуйте,遵循,遵守,従わ",
		priorWord: "previous,previously,prior,above,earlier,preceding,all,any,original,initial,existing,foregoing,every,system,vorherigen,vorherige,bisherigen,vorangegangenen,früheren,obigen,alle,allen,sämtliche,ursprünglichen,précédentes,précédente,antérieures,toutes,initiales," +
			"anteriores,previas,previa,todas,iniciales,prévias,acima,precedenti,tutte,iniziali,vorige,eerdere,voorgaande,bovenstaande,poprzednie,wcześniejsze,wszystkie,powyższe,poprzednich,wcześniejszych,wszystkich,предыдущие,прежние,все,всех,предыдущих,вышеуказанные,önceki,tüm,bütün,yukarıdaki,السابقة,جميع,كل,أعلاه,之前,以上,先前,所有,上述,前面,此前,以前,これまで,前の,上記,すべて,全て,이전,앞의,위의,모든,기존",
		earlierWord:     "previous,prior,earlier,preceding,your,original,initial,safety,hidden,vorherigen,précédentes,anteriores,precedenti,eerdere,poprzednie,предыдущие",
		yourWord:        "your,dein,deine,deinen,deiner,ihre,ton,ta,tes,votre,vos,tu,tus,su,sus,seu,sua,suas,teu,tuo,tua,tue,je,jouw,uw,swój,twój,swoje,twoje,свой,свои,твой,твои,ваш,ваши,senin,sistem,你的,您的,あなたの,너의,당신의,네",
		instructionWord: "instructions,instruction,prompt,prompts,guidelines,guardrails,programming,anweisungen,anweisung,instruktionen,vorgaben,richtlinien,consignes,instrucciones,indicaciones,órdenes,directrices,instruções,orientações,diretrizes,istruzioni,direttive,indicazioni,instructies,aanwijzingen,opdrachten,richtlijnen,instrukcje,polecenia,instrukcji,poleceń,poleceniach,instrukcjach,wytyczne,инструкции,инструкций,указания,указаний,команды,talimatları,talimatlar,talimatı,yönergeleri,komutları,التعليمات,تعليمات,الأوامر,الإرشادات,指令,指示,提示,命令,说明,プロンプト,지시,지침,명령,프롬프트",
		ruleWord:        "rules,directives,commands,restrictions,policies,training,regeln,règles,reglas,regras,regole,regels,zasady,правила,kuralları",
		revealWord:      "print,reveal,show,repeat,output,display,leak,disclose,dump,tell,recite,zeige,zeig,gib,verrate,affiche,affichez,révèle,révélez,montre,muestra,revela,imprime,mostra,rivela,stampa,mostre,revele,toon,onthul,pokaż,ujawnij,wypisz,покажи,выведи,раскрой,напечатай,göster,yazdır,açıkla,اعرض,اكشف,اطبع,显示,输出,打印,透露,告诉,表示,出力,教えて,출력,보여,알려,공개",
		systemPrompt:    "system prompt,systemprompt,system instructions,system message,initial prompt,hidden prompt,hidden instructions,initial instructions,original instructions,prompt système,prompt del,prompt di,prompt do,systemanweisungen,systeemprompt,системный промпт,системные инструкции,sistem istemini,sistem istemi,系统提示,系统提示词,系統提示,システムプロンプト,시스템 프롬프트,تعليمات النظام",
		becomeWord:      "you are,you re,act as,pretend to,pretend you,behave as,become,roleplay as,du bist,tu es,eres ahora,eres,sei ora,você é,je bent,jesteś,если ты,если вы,eğer,如果你是,もしあなたが,만약,إذا كنت,wenn du,falls du,ты теперь,теперь ты,artık,你现在是,你现在,あなたは,너는,أنت",
		personaWord:     "dan_persona,jailbroken,unrestricted,unfiltered,uncensored,developer mode,god mode,no restrictions,without restrictions,any restrictions,no rules,without rules,no limits,no limitations,no filters,entwicklermodus,ohne einschränkungen,sans restrictions,sin restricciones,sem restrições,senza restrizioni,zonder beperkingen,bez ograniczeń,без ограничений,sınırsız,无限制,不受限制,制限のない,제한 없는,بلا قيود",
		attentionWord:   "important,attention,notice,note,warning,urgent,instructions,instruction,message,critical,mandatory,wichtig,achtung,hinweis,importante,atención,aviso,atenção,attenzione,belangrijk,uwaga,ważne,важно,внимание,önemli,dikkat,重要,注意,중요,مهم",
		modelWord: "ai,llm,llms,assistants,chatbot,chatbots,claude,chatgpt,gpt,copilot,gemini,language model,language models,ki,ki assistenten,sprachmodell,sprachmodelle,ia,modelo de,modèle de,asistentes,assistenti,assistenten,asystenci,ии,нейросети,yapay zeka,人工智能,智能助手,助手," +
			"アシスタント,어시스턴트,인공지능,الذكاء",
		orderWord:    "must,call,run,execute,invoke,send,fetch,download,install,post,upload,forward,always,immediately,required,instead,stop,recommend,delete,copy,paste,include,visit,answer only,respond only,reply only,muss,müssen,rufe,führe,sende,sofort,doit,doivent,appelez,exécutez,envoyez,debe,deben,llama,ejecuta,envía,deve,devem,execute,chame,devono,esegui,chiama,moet,moeten,voer,roep,musi,wykonaj,wywołaj,должны,должен,выполни,вызови,отправь,çağır,çalıştır,gönder,必须,请调用,调用,执行,运行,必ず,実行,呼び出,반드시,실행,호출,يجب,نفذ",
		ifYouAreWord: "if you,falls du,wenn du,si tu,si vous,si eres,si usted,se você,se sei,als je,jeśli jesteś,если ты,если вы,eğer,如果你是,もしあなたが,만약,إذا كنت",
		hideWord:     "not tell,not mention,not inform,not reveal,not disclose,not alert,not notify,without telling,without informing,without asking,never tell,never mention,t tell,t mention,t inform,conceal,secretly,nicht erzählen,nichts sagen,sag nichts,verschweige,dis pas,dites pas,no digas,no menciones,não diga,non dire,vertel niet,nie mów,не говори,не сообщай,söyleme,不要告诉,别告诉,伝えないで,言わないで,말하지,لا تخبر",
		userWord:     "user,users,human,operator,owner,anyone,benutzer,nutzer,utilisateur,usuario,usuário,utente,gebruiker,użytkownikowi,użytkownika,пользователю,пользователям,kullanıcıya,用户,ユーザー,사용자,المستخدم",
	}
}

func demanded() map[class]string {
	return map[class]string{
		sendWord:    "send,post,upload,exfiltrate,forward,email,transmit,submit,leak,paste,append,include,add,sende,schicke,lade,envoie,envoyez,envía,sube,envie,invia,carica,stuur,wyślij,отправь,отправьте,gönder,发送,上传,送信,전송,보내,أرسل",
		secretWord:  "environment variables,env vars,env file,dotenv,credentials,private key,private keys,ssh key,ssh keys,id_rsa,api keys,passwords,access tokens,session cookies,conversation history,chat history,process env,umgebungsvariablen,zugangsdaten,passwörter,variables d,identifiants,credenciales,contraseñas,variables de,credenciais,senhas,credenziali,wachtwoorden,inloggegevens,hasła,учётные,пароли,ключи,şifreleri,环境变量,密钥,密码,凭据,環境変数,認証情報,비밀번호,환경,كلمات",
		webWord:     "http,https,ftp,webhook,ngrok",
		callWord:    "call,calls,invoke,use,run,execute,submit,trigger,rufe,ruf,nutze,verwende,appelle,appelez,utilise,llama,usa,invoca,chame,use,chiama,roep,gebruik,wywołaj,użyj,вызови,вызовите,используй,çağır,kullan,调用,使用,呼び出,호출,استدع",
		ownTool:     "submit_experience,report_usage,submit_review,confirm_claim,publish_knowledge,rate_item,mcp__interai",
		beforeWord:  "before,first,any other,immediately,bevor,zuerst,avant,antes,prima,voordat,najpierw,прежде,сначала,önce,之前,首先,先に,먼저,قبل",
		praiseWord:  "success,successful,succeeded,positive,positively,100,highest,maximum,perfect,five,confirmed,verified,trusted,erfolg,erfolgreich,positiv,höchste,höchstnote,bestätigt,succès,positif,maximale,éxito,positiva,máxima,sucesso,positivo,successo,massimo,succes,positief,hoogste,sukces,pozytywnie,najwyższą,успех,успешно,положительно,максимально,başarılı,olumlu,yüksek,成功,满分,最高,正面,最高評価,성공,최고,만점,نجاح,ممتاز",
		failureWord: "failure,failed,fail,fails,partial,negative,honestly,honest,whether,otherwise,unless,fehler,fehlgeschlagen,échec,fallo,fracasso,fallito,mislukt,porażka,неудача,başarısız,失败,失敗,실패,فشل,verify,measured",
		rateWord:    "rate,score,vote,mark,confirm,endorse,review",
		rateVerb:    "upvote,bewerte,bewertet,bewerten,évalue,évaluez,notez,califica,calificar,puntúa,valora,valore,avalie,valuta,valutate,beoordeel,oceń,oceńcie,оцени,оцените,puanla,puanlayın,değerlendir,评分,打分,评价,評価,평가,평점,قيم,قيّم",
		thisWord:    "this,item,entry,article,knowledge,record,claim,revision,diesen,diese,dieses,eintrag,cet,cette,entrée,este,esta,esto,artículo,artigo,questo,questa,voce,dit,deze,wpis,artykuł,это,эту,запись,bunu,bu,此,这个,这,本条,该条,これ,この,이,항목,هذا",
		giveWord:    "give,leave,write,assign,gib,vergib,donne,donnez,da,dale,dê,dai,geef,daj,дай,поставь,ver,给,与えて,줘,أعط",
		scoreWord:   "five stars,5 stars,5 star,five star,full marks,top score,highest score,highest rating,top rating,perfect score,100 points,positive review,fünf sterne,5 sterne,bestnote,cinq étoiles,5 étoiles,cinco estrellas,5 estrellas,cinco estrelas,cinque stelle,vijf sterren,pięć gwiazdek,пять звёзд,5 звёзд,beş yıldız,满分,五星,星5,만점,별점 5,خمس نجوم",
		hundredWord: "100,满分",
		limitWord:   "limit,limits,limiting,limiter,requests,per,percent,interest,sample,frame,bit,error,heart,exchange,second,minute,hour,writes,calls,mbps,hz",
		commandWord: "find,python,python3,curl,wget,rm,chmod,chown,dd,mkfs,mkfs_ext4,iex,invoke_expression,node_tls_reject_unauthorized,git_ssl_no_verify,pythonhttpsverify,sslverify,disablerealtimemonitoring,setenforce,ufw,advfirewall,csrutil,spctl,vssadmin,authorized_keys,tcp,base64,nc,ncat,shred,format,rd,del,iptables,powershell,bash,sh,eval,source,invoke,sudo,auditd,downloadstring",
	}
}

func indirect() map[class]string {
	return map[class]string{
		everythingWord: "everything,anything,alles,tout,todo,tudo,tutto,wszystko,wszystkim,всё,все,всем,her şeyi,كل شيء,所有内容,一切,全部,所有,すべて,全て,모든 것,모두",
		aboveWord:      "above,before,earlier,previously,said,told,vorher,zuvor,bisher,obige,précède,dessus,avant,anterior,antes,arriba,acima,prima,sopra,precede,eerder,hiervoor,hierboven,wcześniej,powyżej,выше,раньше,ранее,yukarıdaki,önce,قبل,أعلاه,以上,之前,上面,以前,上記,これまで,위의,이전",
		readingThis:    "reading this,reads this,read this,processing this,summarizing this,summarising this,parsing this,indexing this,liest dies,lit ceci,lee esto,legge questo,читаешь это,阅读本文,读到这,これを読ん,이것을 읽",
		summarizing:    "summarizing this,summarising this,summarize this,summarise this",
		fromNowOn:      "now on,ab jetzt,ab sofort,désormais,de ahora,de agora,d ora,vanaf nu,od teraz,отныне,bundan sonra,من الآن,从现在开始,从现在起,今後は,これからは,이제부터,지금부터",
		youMust:        "you will,you must,you are,you shall,you only,you always,you never,you have,du bist,du wirst,du musst,tu es,tu dois,vous devez,debes,eres,deves,você é,devi,je bent,musisz,jesteś,ты должен,你将,你必须,你是,あなたは,당신은,너는",
		newTask:        "new task,new instructions,new instruction,new goal,new objective,new role,new directive,new mission,new identity,neue aufgabe,neue anweisung,nouvelle tâche,nueva tarea,nova tarefa,nuovo compito,nieuwe taak,nowe zadanie,новая задача,yeni görevin,新任务,新しい任務,새로운 임무",
		credentialFile: "id_rsa,credentials,env,kubeconfig,netrc,keychain,api key,api keys,private key,secret key,session token,access token",
		yourAnswer:     "your answer,your response,your reply,your output,your summary,next request,next response,next message,next call,the comment,the response,tool call",
		trustScore:     "trust score,trust rating,trust value,trust level",
		ownNoun:        "this claim,all claims,every claim,these claims,this entry,all entries,this knowledge,this record,this experience,my claims,my entries,diese behauptung,cette affirmation,esta afirmación",
		handIn:         "submit,publish,write,post,leave,send,file,create,add",
		favourable:     "positive,favourable,favorable,glowing,fake,flattering",
		report:         "experience,review,reviews,report,feedback,rating,evaluation,usage,confirmation",
	}
}
