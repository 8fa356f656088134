package secret

// place is a construct that holds a credential where its syntax says so.
type place struct {
	literals []string
	look     func(s *scan, start, end int)
}

var places = []place{
	{
		[]string{"private key-----", "private key block-----", "ssh2 encrypted private key", "private-lines:"},
		(*scan).pem,
	},
	{
		[]string{
			"miievq", "miiepa", "miieow", "miieog", "miijrq", "miijkq", "miijka", "mhccaqeei", "migkageb",
			"mighagea", "b3blbnnzac1rzxktdje", "mc4caqawbqydk2vwbcieia", "miiceq", "miicdw", "miicxa", "miicxq", "miicxg",
		},
		(*scan).bareKey,
	},
	{[]string{"://"}, (*scan).uri},
	{[]string{"@tcp(", "@unix(", "@udp("}, (*scan).dsn},
	{[]string{"authorization", "bearer ", "basic ", "token ", "x-auth"}, (*scan).header},
	{[]string{"cookie"}, (*scan).cookie},
	{[]string{"\"auth\"", "_auth=", "_auth ="}, (*scan).dockerAuth},
	{
		[]string{
			"curl ", "sshpass", "mysql", "mariadb", "docker login", "podman login", "redis-cli", "ldap",
			"smbclient", "mongo", "sqlcmd", "htpasswd", "wget ", "az login", "helm ", "chpasswd", "kinit", "7z ", "zip ",
			"unzip ", "pass:", "clickhouse-client", "cqlsh", "ncat", "xfreerdp", "rdesktop", "psexec", "net use",
			"net user ", "impacket", "evil-winrm", "snmp", "influx ", "nats ", "rabbitmqctl", "rabbitmqadmin", "keytool",
			"jarsigner", "twine ", "cargo login", "gh auth", "sqlplus", "bcp ", "isql", "ipmitool", "http ", "https ",
		},
		(*scan).command,
	},
	{[]string{
		"auth=(", "auth = (", "basicauth(", "basic_auth(", ".auth(", "login(", "credentials(", "credential(",
		"authenticate(",
	}, (*scan).callPair},
	{[]string{"eyj"}, (*scan).jwt},
	{[]string{":5432:", ":5433:", ":6432:", ":3306:", ":*:*:"}, (*scan).pgpass},
	{[]string{
		"mnemonic", "seed phrase", "recovery phrase", "seed words", "backup phrase", "secret phrase",
		"wallet phrase", "seedphrase",
	}, (*scan).mnemonic},
	{[]string{"identified by", "password '", "with password"}, (*scan).sqlPassword},
	{[]string{"x-amz-signature=", "x-goog-signature=", "&sig=", "?sig=", "&signature="}, (*scan).signedURL},
	{[]string{"\"d\"", "<d>"}, (*scan).jwk},
	{[]string{"kind: secret", "kind\": \"secret\"", "kind\":\"secret\""}, (*scan).manifest},
	{[]string{"app password", "app-password", "app_password", "application password"}, (*scan).appPassword},
}

// namedRules are the rules without a pattern.
var namedRules = []struct {
	name, description string
	tier              Tier
}{
	{"private_key", "a private key in PEM, PuTTY, SSH2, DER, JWK or XML form", Structural},
	{"uri_password", "a password in the user part of a URI or connection string", Structural},
	{"authorization_header", "a credential in an Authorization header", Structural},
	{"bearer_token", "a bearer token", Structural},
	{"session_cookie", "the value of a session cookie", Weak},
	{"docker_auth", "the auth field of a container registry's configuration", Structural},
	{"command_line_password", "a password among the options of a command", Structural},
	{"json_web_token", "a signed JSON web token", Structural},
	{"pgpass_password", "the password of a pgpass line", Structural},
	{"seed_phrase", "the seed phrase of a wallet (BIP-39)", Structural},
	{"sql_password", "a password in an SQL statement", Structural},
	{"signed_url", "a presigned URL", Weak},
	{"aws_secret_access_key", "the secret beside an AWS access key ID", Structural},
	{"kubernetes_secret", "a value of a Kubernetes Secret", Contextual},
	{"app_password", "an application password in groups of four letters", Structural},
	{"discord_token", "the token of a Discord bot", Structural},
	{"named_secret", "a value that looks drawn by chance under a name such as password or api_key", Contextual},
	{"named_value", "a value drawn by chance under a name such as token", Weak},
	{"secret_in_prose", "a value drawn by chance in a sentence about a password or key", Contextual},
	{"vendor_credential", "a vendor's name and a value of the form of its credentials", Contextual},
	{"vendor_value", "a vendor's name and a value of the form of its identifiers", Weak},
}
