package secret

// awsPair joins an AWS access key ID and the secret near it: neither says much alone.
type awsPair struct{ lastID int }

// id looks for the secret around an access key ID: 40 characters of base64 that look drawn by chance.
func (a *awsPair) id(s *scan, from, to int) {
	const around, length = 600, 40
	start := max(a.lastID, from-around)
	limit := min(len(s.text), to+around)
	if awsExample(s.text[from:to]) || !s.pay(limit-start) {
		return
	}
	a.lastID = to
	for i := start; i < limit; {
		if !base64Set.has(s.text[i]) {
			i++
			continue
		}
		n := base64Set.run(s.text, i, limit-i+64)
		if n > length && n < length+4 && s.text[i] == '/' {
			i, n = i+1, n-1
		}
		if v := s.text[i : i+n]; n == length && hexSet.run(v, 0,
			length) < length && entropy(v) >= 4 && look(v).kinds() >= 3 && !exampleLike(v) {
			s.report("aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", Structural, i, i+n)
			return
		}
		i += max(n, 1)
	}
}
