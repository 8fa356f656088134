package store

// Completions shows tests the statements behind completions, which all have the same types of arguments.
func Completions() map[Kind]string { return completions() }

// CompletionTypes are those types.
const CompletionTypes = "uuid, uuid, uuid, text, int" //nolint:dupword // types of parameters
