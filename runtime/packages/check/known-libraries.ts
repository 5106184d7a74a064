// The language's own libraries, which every archive brings, often in several versions. What their
// check says is known: a package's id is the hash of all that it holds. docs/decisions/0056

/**
 * Ids of packages that keep the rules of the language, by the version of the standard library. Its
 * archives bring the primitives too, whose own version is always 0.0.0.
 */
export const knownLibraries: ReadonlySet<string> = new Set([
  // Standard library 3.0.0.20240318.12913.0, and its primitives
  '1fb4f5d8c38cf7a36c291a9ced114819240caa79e4383de8eebcf58af4970b77',
  '2857149df3c364fa3c3fc677d2a40c693b1a1d106a16ba5325f247b1a76c7f38',
  // Standard library 3.3.0.20250502.13767.0, and its primitives
  '9d1a644e686435cf934f2f3f049138a424863b2a800130046dadc0c994ea5df3',
  '54f85ebfc7dfae18f7d70370015dcc6c6792f60135ab369c44ae52c6fc17c274',
  // Standard library 3.4.11, and its primitives
  '3b25c9b08ac6d895417c604fc0ee4b7e47ef974ff8fa43f139daa43bb431fefc',
  '7cff38e34bd192d498d5a7606aa3b893e35b0f632d582b273f66dab90f2f14ef',
  // Standard library 3.5.2, and its primitives
  '4039f60273388c5701e27950ab3e8c3044433b0876535a3b48fb042cc77bf02a',
  '22ffcbab726e64e179deebd895307fad94efbae3f72b07677e24038d0fbf4467',
])
