// The reasons that topology gives in INVALID_ARGUMENT and INVALID_FIELD, with {placeholders}.
// docs/ledger-rules.md, "Topology"

export const texts = {
  // identifiers
  nameEmpty: 'the name is empty',
  namespaceEmpty: 'the namespace is empty',
  unseenSpace: 'The name has a space at an end, or two in succession',
  reservedDelimiter: 'String contains reserved delimiter `::`.',
  tooLong: 'the string has {length} characters; at most {max} are allowed',
  character: 'String contains the invalid character `{character}`: `{value}`',
  identifierWithoutNamespace: 'Invalid unique identifier `{value}` with missing namespace.',
  malformedIdentifier: 'Invalid unique identifier `{value}`: {problem}',
  field: '{field}: {problem}',
  // keys and signatures
  keyEmpty: 'the key is empty',
  keyFormatUnspecified: 'the key format is unspecified',
  keySpecUnspecified: 'the key spec is unspecified',
  keyMalformed: 'the key is not a public key in the format {format}',
  keyOfOtherSpec: 'the key is not of the spec {spec}',
  algorithmOfOtherKey: 'the signing algorithm {algorithm} does not fit a key of the spec {spec}',
  signatureFormat:
    'a signature in the format {format} does not fit the signing algorithm {algorithm}',
  signatureInvalid: 'the signature by {key} is invalid',
  // generate
  synchronizerUnknown: 'Unknown or not connected synchronizer {id}',
  hintEmpty: 'Party hint is empty',
  thresholdNegative: 'Negative confirmation threshold observed',
  localListed:
    'The local participant {uid} is listed in {field}. It must not be: it is added to the hosting participants as' +
    ' local_participant_observation_only says',
  participantsRepeated:
    'The following participant IDs are referenced multiple times in the request: {uids}',
  thresholdTooHigh: 'Confirmation threshold exceeds number of confirming participants',
  noConfirming: 'At least one participant must host the party with confirmation permission',
  noNextHosting: 'The party has had all hostings that this copy of a ledger has serials for',
  // allocate
  notConnected: 'This node is not connected to the requested synchronizer {id}.',
  noTransactions: 'Transactions field is empty',
  unspecified: 'Field is unspecified',
  empty: 'Field is empty',
  tooMany: 'Onboarding a party takes at most {max} transactions',
  malformedTransaction: 'transaction {index} is not a topology transaction: {problem}',
  notAddReplace: 'transaction {index} does not add a mapping',
  withoutSerial: 'transaction {index} has the serial 0, but serials start with 1',
  onlyOne: 'Only one transaction of type {kind} can be provided, got {count}',
  oneNeeded: 'One transaction of type PartyToParticipant must be provided, got 0',
  notRoot:
    'NamespaceDelegation is not a root namespace. Ensure the namespace and target key are the same',
  notOfOwner:
    'the NamespaceDelegation of {namespace} belongs to no owner of the decentralized namespace',
  tooManyOwners:
    'Decentralized namespaces cannot have more than {max} individual namespace owners, got {count}',
  ownersProblem:
    'the owners of the decentralized namespace must be distinct, and its threshold between 1 and their number',
  namespaceOfOwners: 'the decentralized namespace {namespace} is not the one of its owners',
  otherNamespace:
    'The namespace {namespace} of {kind} does not match the PartyToParticipant namespace {expected}',
  otherParty: 'PartyToKeyMapping is about the party {other}, but PartyToParticipant about {party}',
  keysTwice:
    'Party signing keys must be in PartyToParticipant or in PartyToKeyMapping, not in both',
  keysNowhere: 'Party signing keys must be in PartyToParticipant or in PartyToKeyMapping',
  keysProblem:
    'Party signing keys must be distinct, and their threshold between 1 and their number',
  protocolUsage: 'the key {key} lacks the usage that signing for a party needs',
  namespaceUsage: 'the key {key} lacks the usage that signing for a namespace needs',
  submissionPermission:
    'The PartyToParticipant transaction must not contain any node with Submission permission: {uids}',
  hostsRepeated: 'PartyToParticipant names a participant more than once',
  hostOfCopy:
    'The topology names the participant {other}, but this node is {uid}: one of the two is of a copy of the ledger',
  notHosted: 'This node {uid} is not one of the participants that host the party',
  singleHost:
    'The only participant that hosts the party must be this node {uid}, with confirmation permission',
  thresholdProblem:
    'The confirmation threshold must be between 1 and the number of confirming participants',
  // what is in force
  notFirstSerial: '{name} has the serial {serial}, but none is in force, so it starts with 1',
  notNextSerial:
    '{name} has the serial {serial}, but {inForce} is in force, and only {next} may replace it',
  noNextSerial:
    '{name} with the serial {inForce} is in force, the last one that this copy of a ledger has',
  otherContent: '{name} with the serial {serial} is in force with other content',
  withoutHosting:
    '{name} with the serial {serial} changes what is in force, so it takes the next PartyToParticipant',
  otherKeys:
    'PartyToKeyMapping with the serial {serial} may not replace the keys in force: they came with another transaction',
  // signatures
  unsigned: '{kind} is not signed',
  signerUnknown: 'the signature by {key} is by none of the keys in the transactions',
  signatureMissing: '{kind} lacks the signature by {key}',
  namespaceUnproven: 'no transaction holds the key of the namespace {namespace}',
  tooFewOwners: '{kind} is signed by {count} owners of its namespace; {threshold} are needed',
} as const
