package store

// BeginRead and ReadingStatements show tests how objects are read: each statement with the types of its arguments.
const BeginRead = beginRead

// ReadingStatements are the statements behind the lists that readers see.
func ReadingStatements() map[string]string {
	const line, part, one = "uuid, uuid, int", "uuid, uuid", "uuid"   //nolint:dupword // types of parameters
	const experiences = "uuid[], uuid, uuid[], text[], int, int, int" //nolint:dupword // likewise
	const claims = "uuid[], uuid, int, int"                           //nolint:dupword // likewise
	return map[string]string{
		selectStating: line, selectAbout: line, selectCiting: line, selectInThread: line, selectBy: line,
		selectToContent: line, selectToEntity: line, selectClaims: part, selectOutgoing: part, selectSubjects: part, selectClaimSubjects: part,
		compareRatings: "uuid[], text, text[], int, float8", compareClaims: claims, compareIssues: "uuid[], uuid, uuid[], int",
		compareExperiences: experiences,
		selectClaim:        part, selectEntity: part, selectSources: one, selectAssets: one, selectRevisions: "uuid, int",
		selectSignalRecords: "uuid, int", selectMailLinks: "uuid[], int", selectKeyLinks: "uuid[], int, timestamptz", selectKnownSignal: "uuid[], bytea",
	}
}

// SearchStatement is the statement of a search with its arguments.
func SearchStatement(q *SearchQuery) (string, []any) {
	var s searchStatement
	s.hits(q)
	return s.b.String(), s.args
}

// ChargedAt is the database's moment of a charge, and ChargedBytes what its bytes have cost, both in microseconds.
func ChargedAt(c Charge) int64    { return c.at }
func ChargedBytes(c Charge) int64 { return c.bytes }
