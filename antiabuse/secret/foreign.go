package secret

// foreignWords announce a password, a key or a token in languages other than English. The automaton folds the case of
// ASCII letters only, so words that begin with others stand here in both cases.
var foreignWords = []string{
	"kennwort", "zugangsdaten", "geheimnis", "schlüssel", "mot de passe", "mdp", "motdepasse", "mot_de_passe",
	"clé", "contraseña", "contrasena", "contraseñas", "clave", "senha", "palavra-passe", "segredo",
	"parola d'ordine", "chiave", "wachtwoord", "sleutel", "hasło", "haslo", "hasła", "klucz", "hasłem",
	"lösenord", "losenord", "adgangskode", "salasana", "jelszó", "heslo", "parolă", "parola", "şifre",
	"sifre", "sifra", "lozinka", "пароль", "Пароль", "ПАРОЛЬ", "Парол", "Ключ", "Токен", "Секрет", "Şifre",
	"Κωδικός", "schluessel", "пароля", "паролем", "пароли", "ключ", "секрет", "токен", "парол", "密码", "密碼",
	"口令", "密钥", "密鑰", "秘钥", "令牌", "秘密", "パスワード", "暗証番号", "トークン", "キー", "シークレット", "비밀번호", "암호", "패스워드", "토큰",
	"시크릿", "비번", "api 키", "비밀키", "비밀 키", "인증키", "인증 키", "액세스 키", "token de acceso", "token d'accès", "jeton",
	"token di accesso", "zugriffstoken", "zugangstoken", "toegangstoken", "token dostępu", "token de acesso",
	"erişim anahtarı", "anahtar", "geheimer schlüssel", "mật khẩu", "كلمة المرور", "كلمة السر", "סיסמה",
	"סיסמא", "पासवर्ड", "รหัสผ่าน", "kata sandi", "κωδικός", "salasõna", "slaptažodis",
}

func foreignStems() []stem {
	out := make([]stem, 0, len(foreignWords))
	for _, word := range foreignWords {
		out = append(out, stem{text: word, kind: stemForeign})
	}
	return out
}
