// A small case for each rule of the comparison: what is written before and after, and what each
// side must be told, both ways round.

/**
 * A schema before and after; the rule of the change with its levels in requests and in responses,
 * and the same for the reverse change, where that differs. Levels are for callers and implementers:
 * B breaking, A additive, E editorial, N none.
 */
export type SchemaCase = readonly [before: string, after: string, there: string, back?: string]

/** A path item before and after, and the rules with their levels; one edit may have several. */
export type PathCase = readonly [before: string, after: string, there: string, back?: string]

const O = 'type: object'
const CAT = "{ $ref: '#/components/schemas/Cat' }"
const DOG = "{ $ref: '#/components/schemas/Dog' }"
const TAGS = "cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'"

/** Two ways to write one schema. */
export const SAME_SCHEMAS: readonly (readonly [string, string])[] = [
  ['{ type: string }', '{ type: string, minLength: 0 }'],
  ['{ type: string }', '{ type: string, title: T, $comment: c, maxItems: 3 }'],
  ['{ enum: [a, b] }', '{ type: string, enum: [a, b] }'],
  ['{ enum: [a] }', '{ const: a }'],
  ['{ enum: [1] }', '{ type: integer, const: 1 }'],
  [
    "{ oneOf: [{ type: string }, { type: boolean }, { type: 'null' }] }",
    "{ anyOf: [{ oneOf: [{ type: string }, { type: boolean }] }, { type: 'null' }] }",
  ],
  ["{ type: [string, 'null'] }", '{ anyOf: [{ const: null }, { type: string }] }'],
  ['{ enum: [a, b, null] }', "{ type: [string, 'null'], enum: [a, b, null] }"],
  ['{ type: integer, minimum: 1 }', '{ type: integer, exclusiveMinimum: 0, multipleOf: 1 }'],
  [
    '{ oneOf: [{ type: string }, { type: boolean }] }',
    '{ allOf: [{ oneOf: [{ type: string }, { type: boolean }] }] }',
  ],
  [`{ oneOf: [${CAT}, ${DOG}] }`, `{ oneOf: [{ allOf: [${CAT}] }, ${DOG}] }`],
  [
    `{ oneOf: [${CAT}, ${DOG}] }`,
    `{ oneOf: [{ ${O}, properties: { kind: { const: cat } }, required: [kind] }, ${DOG}] }`,
  ],
  // A component that null fits, and null beside a reference to one that it does not.
  ["{ $ref: '#/components/schemas/Maybe' }", "{ type: [string, 'null'], maxLength: 9 }"],
  [
    "{ $ref: '#/components/schemas/Maybe' }",
    "{ anyOf: [{ $ref: '#/components/schemas/Short' }, { type: 'null' }] }",
  ],
  [CAT, `{ ${O}, properties: { kind: { enum: [cat] } }, required: [kind] }`],
  [CAT, `{ description: d, allOf: [${CAT}] }`],
  [
    `{ ${O}, properties: { a: {}, b: {} }, required: [a] }`,
    `{ allOf: [{ ${O}, properties: { a: {} }, required: [a] }, { properties: { b: {} } }] }`,
  ],
  [
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind, mapping: { ${TAGS} } } }`,
    `{ anyOf: [${DOG}, ${CAT}], discriminator: { propertyName: kind, mapping: { ${TAGS} } } }`,
  ],
]

export const SCHEMA_CASES: readonly SchemaCase[] = [
  ['{ type: string }', '{ type: [string, integer] }', 'type-widened AB BA', 'type-narrowed BN AB'],
  ['{ type: integer }', '{ type: number }', 'type-widened AB BA', 'type-narrowed BN AB'],
  ['{ type: string, maxLength: 3 }', '{ type: boolean }', 'type-changed BB BB'],
  ['{ type: string }', "{ type: [string, 'null'] }", 'null-allowed AB BA', 'null-forbidden BN AB'],
  [CAT, `{ anyOf: [${CAT}, { type: 'null' }] }`, 'null-allowed AB BA', 'null-forbidden BN AB'],
  [
    "{ type: [string, 'null'], maxLength: 3 }",
    "{ oneOf: [{ type: string, maxLength: 3 }, { type: 'null' }] }",
    'schema-rewritten EE EE',
  ],
  [
    '{ type: string }',
    '{ type: string, format: date }',
    'format-added BN AB',
    'format-removed AA BA',
  ],
  ['{ type: string, format: uuid }', '{ type: string, format: date }', 'format-changed BB BB'],
  [
    '{ type: integer }',
    '{ type: integer, format: int64 }',
    'int64-added AB BB',
    'int64-removed BB AB',
  ],
  ['{ enum: [a, b] }', '{ enum: [a, b, c] }', 'enum-value-added AB BA', 'enum-value-removed BB AB'],
  ['{ const: a }', '{ enum: [a, b] }', 'enum-value-added AB BA', 'enum-value-removed BB AB'],
  ['{ type: string }', '{ type: string, enum: [a] }', 'enum-declared BN AB', 'enum-dropped AB BA'],
  ['{ enum: [a, b] }', '{ enum: [b, a] }', 'enum-reordered EE EE'],
  ['{ type: string }', '{ type: string, const: a }', 'const-added BN AB', 'const-removed AB BA'],
  ['{ const: a }', '{ const: b }', 'const-changed BB BB'],
  ['{ minimum: 1 }', '{ minimum: 2 }', 'minimum-tightened BN AB', 'minimum-loosened AA BA'],
  [
    '{ minimum: 1 }',
    '{ exclusiveMinimum: 1 }',
    'minimum-tightened BN AB',
    'minimum-loosened AA BA',
  ],
  [
    '{ type: integer }',
    '{ type: integer, maximum: 9 }',
    'maximum-tightened BN AB',
    'maximum-loosened AA BA',
  ],
  [
    '{ maximum: 9223372036854775807 }',
    '{ maximum: 9223372036854775806 }',
    'maximum-tightened BN AB',
    'maximum-loosened AA BA',
  ],
  [
    '{ multipleOf: 2 }',
    '{ multipleOf: 4 }',
    'multiple-of-tightened BN AB',
    'multiple-of-loosened AA BA',
  ],
  ['{ multipleOf: 2 }', '{ multipleOf: 3 }', 'multiple-of-changed BA BB'],
  [
    '{ minLength: 1 }',
    '{ minLength: 2 }',
    'min-length-tightened BN AB',
    'min-length-loosened AA BA',
  ],
  [
    '{ maxLength: 2 }',
    '{ maxLength: 1 }',
    'max-length-tightened BN AB',
    'max-length-loosened AA BA',
  ],
  [
    '{ type: array }',
    '{ type: array, minItems: 1 }',
    'min-items-tightened BN AB',
    'min-items-loosened AA BA',
  ],
  ['{ maxItems: 5 }', '{ maxItems: 4 }', 'max-items-tightened BN AB', 'max-items-loosened AA BA'],
  [
    '{ minProperties: 1 }',
    '{ minProperties: 2 }',
    'min-properties-tightened BN AB',
    'min-properties-loosened AA BA',
  ],
  [
    '{ maxProperties: 3 }',
    '{ maxProperties: 2 }',
    'max-properties-tightened BN AB',
    'max-properties-loosened AA BA',
  ],
  [
    '{ type: string }',
    '{ type: string, pattern: ^a }',
    'pattern-added BN AB',
    'pattern-removed AA BA',
  ],
  ['{ pattern: ^a }', '{ pattern: ^b }', 'pattern-changed BA BB'],
  [
    '{ type: array }',
    '{ type: array, uniqueItems: true }',
    'unique-items-added BN AB',
    'unique-items-removed AA BA',
  ],
  ['{ contentEncoding: base64 }', '{ contentEncoding: base32 }', 'content-encoding-changed BB BB'],
  [
    '{ contentMediaType: text/a }',
    '{ contentMediaType: text/b }',
    'content-media-type-changed BB BB',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, properties: { a: {} } }`,
    'property-added-optional AA AA',
    'property-removed BB BB',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, properties: { a: {} }, required: [a] }`,
    'property-added-required BA AB',
    'property-removed BB BB',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, properties: { a: { readOnly: true } } }`,
    'property-added-optional EE AA',
    'property-removed EE BB',
  ],
  [
    `{ ${O}, properties: { a: {} } }`,
    `{ ${O}, properties: { a: {} }, required: [a] }`,
    'property-became-required BA AB',
    'property-became-optional AB BA',
  ],
  [`{ ${O}, required: [a, b] }`, `{ ${O}, required: [b, a] }`, 'required-reordered EE EE'],
  [
    `{ ${O} }`,
    `{ ${O}, additionalProperties: false }`,
    'additional-properties-forbidden BN AB',
    'additional-properties-allowed AA AA',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, additionalProperties: { type: string } }`,
    'additional-properties-restricted BN AB',
    'additional-properties-freed AB BA',
  ],
  [
    `{ ${O}, additionalProperties: { type: string } }`,
    `{ ${O}, additionalProperties: { type: boolean } }`,
    'type-changed BB BB',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, patternProperties: { ^a: { type: string } } }`,
    'pattern-property-added BN AB',
    'pattern-property-removed AB BA',
  ],
  [
    `{ ${O} }`,
    `{ ${O}, propertyNames: { pattern: ^a } }`,
    'property-names-restricted BN AB',
    'property-names-freed AA BA',
  ],
  [
    '{ type: array }',
    '{ type: array, items: { type: string } }',
    'items-restricted BN AB',
    'items-freed AB BA',
  ],
  [
    '{ type: array, items: { maxLength: 2 } }',
    '{ type: array, items: { maxLength: 1 } }',
    'max-length-tightened BN AB',
    'max-length-loosened AA BA',
  ],
  [
    '{ prefixItems: [{}] }',
    '{ prefixItems: [{}, { type: string }] }',
    'tuple-item-added BN AB',
    'tuple-item-removed AB BA',
  ],
  [
    `{ oneOf: [${CAT}, { type: string }] }`,
    `{ oneOf: [${CAT}, { type: string }, ${DOG}] }`,
    'variant-added AB BA',
    'variant-removed BB AB',
  ],
  [CAT, `{ oneOf: [${CAT}, ${DOG}] }`, 'variant-added AB BA', 'variant-removed BB AB'],
  [
    '{ type: string }',
    '{ oneOf: [{ type: string }, { type: boolean }] }',
    'variant-added AB BA',
    'variant-removed BB AB',
  ],
  [`{ oneOf: [${CAT}, ${DOG}] }`, `{ oneOf: [${DOG}, ${CAT}] }`, 'variants-reordered EE EE'],
  [
    `{ ${O} }`,
    `{ ${O}, oneOf: [${CAT}, ${DOG}] }`,
    'variants-declared BB AB',
    'variants-dropped AB BA',
  ],
  [
    '{ pattern: ^a }',
    '{ allOf: [{ pattern: ^a }, { pattern: b$ }] }',
    'part-added BN AB',
    'part-removed AB BA',
  ],
  // What one part says, another may say more strictly.
  [
    '{ maxLength: 9 }',
    '{ allOf: [{ maxLength: 9 }, { maxLength: 5 }] }',
    'max-length-tightened BN AB',
    'max-length-loosened AA BA',
  ],
  [
    '{ enum: [a, b] }',
    '{ enum: [a, b], const: a }',
    'enum-value-removed BB AB',
    'enum-value-added AB BA',
  ],
  [
    "{ type: [string, 'null'], enum: [a] }",
    "{ type: [string, 'null'], enum: [a, null] }",
    'null-allowed AB BA',
    'null-forbidden BN AB',
  ],
  [
    '{ type: array, items: { type: string } }',
    '{ type: array, items: { type: string }, prefixItems: [{ type: string, maxLength: 2 }] }',
    'max-length-tightened BN AB',
    'max-length-loosened AA BA',
  ],
  [
    `{ oneOf: [${CAT}, ${DOG}] }`,
    `{ anyOf: [${CAT}, ${DOG}] }`,
    'one-of-became-any-of AA BA',
    'any-of-became-one-of BN AB',
  ],
  [
    `{ oneOf: [${CAT}, ${DOG}] }`,
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind } }`,
    'discriminator-added BN AB',
    'discriminator-removed AA BA',
  ],
  [
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind } }`,
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: sort } }`,
    'discriminator-property-changed BB BB',
  ],
  [
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind, mapping: { ${TAGS} } } }`,
    `{ oneOf: [${CAT}, ${DOG}], discriminator: { propertyName: kind, mapping: { ${TAGS}, pup: '#/components/schemas/Dog' } } }`,
    'discriminator-tag-added AB BA',
    'discriminator-tag-removed BB AB',
  ],
  [
    '{ type: string }',
    '{ type: string, not: { const: a } }',
    'not-added BN AB',
    'not-removed AB BA',
  ],
  ['{ not: { const: a } }', '{ not: { const: b } }', 'not-changed BB BB'],
  [
    '{ type: string }',
    '{ type: string, default: a }',
    'default-added AA AN',
    'default-removed BB BN',
  ],
  ['{ default: a }', '{ default: b }', 'default-changed BA BN'],
  [
    `{ ${O}, properties: { a: { type: string } } }`,
    `{ ${O}, properties: { a: { type: string, readOnly: true } } }`,
    'read-only-added BA EE',
    'read-only-removed AA EE',
  ],
  [
    `{ ${O}, properties: { a: { type: string } } }`,
    `{ ${O}, properties: { a: { type: string, writeOnly: true } } }`,
    'write-only-added EE BB',
    'write-only-removed EE AA',
  ],
  [
    '{ type: string }',
    '{ type: string, deprecated: true }',
    'schema-deprecated AN AN',
    'schema-undeprecated AN AN',
  ],
  ['{ type: string }', '{ type: string, description: text }', 'description-changed EE EE'],
  ['{ type: string }', '{ type: string, examples: [a] }', 'examples-changed EE EE'],
  ['{ x-error: { code: A } }', '{ x-error: { code: B } }', 'error-code-changed BN EE'],
  ['{ x-error: { code: A } }', '{ x-error: { code: A, reason: no } }', 'error-text-changed EE EE'],
  ['{ x-a: 1 }', '{ x-a: 2 }', 'schema-extension-changed EE EE'],
  [
    `{ ${O}, properties: { kind: { const: cat } }, required: [kind] }`,
    CAT,
    'reference-changed EE EE',
  ],
  [
    `{ allOf: [${CAT}, { ${O}, properties: { a: {} } }] }`,
    `{ allOf: [${CAT}], properties: { a: {} }, ${O} }`,
    'schema-rewritten EE EE',
  ],
  [
    `{ allOf: [${CAT}, { ${O}, properties: { a: {} } }] }`,
    `{ allOf: [${CAT}, { ${O}, properties: { a: {}, b: {} } }] }`,
    'property-added-optional AA AA',
    'property-removed BB BB',
  ],
  ['{ type: string }', 'false', 'schema-closed BB AB', 'schema-opened AB BA'],
]

const OK = 'responses: { 204: { description: done } }'
const get = (inside: string): string => `{ get: { operationId: op, ${inside} } }`
const post = (inside: string): string => `{ post: { operationId: op, ${OK}, ${inside} } }`
const query = (inside: string): string =>
  get(`${OK}, parameters: [{ name: q, in: query, ${inside} }]`)
const header = (inside: string): string =>
  get(`responses: { 200: { description: ok, headers: { ${inside} } } }`)
const answer = (content: string): string =>
  get(`responses: { 200: { description: ok, content: { ${content} } } }`)
const access = (inside: string): string => get(`${OK}, x-access: { ${inside} }`)
const secured = (groups: string): string => get(`${OK}, security: [${groups}]`)
const extended = (inside: string): string => get(`${OK}, ${inside}`)
const json = (schema: string): string => `application/json: { schema: ${schema} }`

export const PATH_CASES: readonly PathCase[] = [
  ['{}', get(OK), 'operation-added AA', 'operation-removed BB'],
  ['{}', extended('deprecated: true'), 'operation-added AA', 'deprecated-operation-removed BB'],
  [get(OK), `{ put: { operationId: op, ${OK} } }`, 'operation-method-changed BN'],
  [get(OK), `{ get: { operationId: other, ${OK} } }`, 'operation-id-changed EB'],
  [
    get(OK),
    `{ get: { operationId: other, ${OK}, x-renamed-from: op } }`,
    'operation-renamed EB, operation-extension-changed EE',
  ],
  [get(OK), extended('deprecated: true'), 'operation-deprecated AN', 'operation-undeprecated AN'],
  [get(OK), extended('summary: s'), 'operation-summary-changed EE'],
  [get(OK), extended('description: s'), 'operation-description-changed EE'],
  [get(OK), extended('tags: [a]'), 'operation-tags-changed EE'],
  [get(OK), extended('x-team: here'), 'operation-extension-changed EE'],
  [get(OK), query('schema: {}'), 'parameter-added-optional AA', 'parameter-removed BB'],
  [
    get(OK),
    query('schema: {}, required: true'),
    'parameter-added-required BA',
    'parameter-removed BB',
  ],
  [
    query('schema: {}'),
    get(`${OK}, parameters: [{ name: q, in: cookie, schema: {} }]`),
    'parameter-moved BB',
  ],
  [
    query('schema: {}'),
    query('schema: {}, required: true'),
    'parameter-became-required BA',
    'parameter-became-optional AB',
  ],
  [
    query('schema: { default: 1 }, required: true'),
    query('schema: { default: 1 }'),
    'parameter-became-optional-with-default AA',
    'parameter-became-required BA',
  ],
  [
    query('schema: {}'),
    query('schema: {}, style: pipeDelimited, explode: true'),
    'parameter-style-changed BN',
  ],
  [query('schema: {}'), query('schema: {}, explode: false'), 'parameter-explode-changed BN'],
  [
    query('schema: {}'),
    query('content: { application/json: { schema: {} } }'),
    'parameter-media-type-changed BN',
  ],
  [
    query('schema: {}'),
    query('schema: {}, deprecated: true'),
    'parameter-deprecated AN',
    'parameter-undeprecated AN',
  ],
  [query('schema: {}'), query('schema: {}, description: s'), 'parameter-description-changed EE'],
  [query('schema: {}'), query('schema: {}, x-a: 1'), 'parameter-extension-changed EE'],
  [query('schema: {}'), query('schema: {}, x-error: { code: A }'), 'error-code-changed BN'],
  [
    query('schema: { maxLength: 2 }'),
    query('schema: { maxLength: 1 }'),
    'max-length-tightened BN',
    'max-length-loosened AA',
  ],
  [
    get(`${OK}, parameters: [{ name: X-A, in: header, schema: {} }]`),
    get(`${OK}, parameters: [{ name: x-a, in: header, schema: {} }]`),
    'header-case-changed EB',
  ],
  [
    get(OK),
    get(`${OK}, requestBody: { content: { ${json('{}')} } }`),
    'body-added-optional AA',
    'body-removed BB',
  ],
  [
    post('tags: []'),
    post(`requestBody: { required: true, content: { ${json('{}')} } }`),
    'body-added-required BA',
    'body-removed BB',
  ],
  [
    post(`requestBody: { content: { ${json('{}')} } }`),
    post(`requestBody: { required: true, content: { ${json('{}')} } }`),
    'body-became-required BN',
    'body-became-optional AB',
  ],
  [
    post(`requestBody: { content: { ${json('{}')} } }`),
    post(`requestBody: { content: { ${json('{}')}, text/plain: {} } }`),
    'body-media-type-added AB',
    'body-media-type-removed BB',
  ],
  [
    post('requestBody: { content: { multipart/form-data: { schema: {} } } }'),
    post(
      'requestBody: { content: { multipart/form-data: { schema: {}, encoding: { a: { contentType: text/plain } } } } }',
    ),
    'body-encoding-changed BN',
  ],
  [
    post(`requestBody: { content: { ${json('{}')} } }`),
    post('requestBody: { content: { application/json: { schema: {}, example: 1 } } }'),
    'body-examples-changed EE',
  ],
  [
    post('requestBody: { content: { application/json: {} } }'),
    post(`requestBody: { content: { ${json('{ type: string }')} } }`),
    'schema-declared BB',
    'schema-dropped AB',
  ],
  [
    get(OK),
    get('responses: { 200: { description: ok }, 204: { description: done } }'),
    'response-status-added BA',
    'response-status-removed BB',
  ],
  [
    get(OK),
    get('responses: { 204: { description: done }, 404: { description: none } }'),
    'response-error-status-added BA',
    'response-error-status-removed AB',
  ],
  [
    get('responses: { default: { description: failed } }'),
    get('responses: { 404: { description: failed }, default: { description: failed } }'),
    'response-status-specified AA',
    'response-status-generalised AA',
  ],
  [answer(''), answer(json('{}')), 'response-body-added AB', 'response-body-removed BB'],
  [
    answer('a/a: {}, b/b: {}'),
    answer('a/a: {}, b/b: {}, c/c: {}'),
    'response-media-type-added AA',
    'response-media-type-removed BB',
  ],
  [
    answer('a/a: {}'),
    answer('a/a: {}, b/b: {}'),
    'response-second-media-type-added AB',
    'response-media-type-removed BB',
  ],
  [
    header(''),
    header('X-A: { schema: {} }'),
    'response-header-added-optional AA',
    'response-header-removed BB',
  ],
  [
    header(''),
    header('X-A: { schema: {}, required: true }'),
    'response-header-added-required AB',
    'response-header-removed BB',
  ],
  [
    header('X-A: { schema: {} }'),
    header('X-A: { schema: {}, required: true }'),
    'response-header-became-required AB',
    'response-header-became-optional BA',
  ],
  [header('X-A: { schema: {} }'), header('X-a: { schema: {} }'), 'header-case-changed EB'],
  [
    answer('multipart/form-data: { schema: {} }'),
    answer('multipart/form-data: { schema: {}, encoding: { a: {} } }'),
    'response-encoding-changed BN',
  ],
  [get(OK), get('responses: { 204: { description: other } }'), 'response-description-changed EE'],
  [
    answer(json('{}')),
    answer('application/json: { schema: {}, example: 1 }'),
    'response-examples-changed EE',
  ],
  [get(OK), secured('{ key: [] }'), 'security-required BN', 'security-optional AA'],
  [
    secured('{ key: [] }'),
    secured('{ key: [] }, { auth: [] }'),
    'security-alternative-added AA',
    'security-alternative-removed BN',
  ],
  [
    secured('{ auth: [a] }'),
    secured('{ auth: [a, b] }'),
    'security-scope-added BN',
    'security-scope-removed AA',
  ],
  [
    secured('{ key: [] }, { auth: [] }'),
    secured('{ auth: [] }, { key: [] }'),
    'security-rewritten EE',
  ],
  [get(OK), access('token: required'), 'access-added BN', 'access-removed AA'],
  [
    access('token: none'),
    access('token: subject'),
    'access-token-narrowed BN',
    'access-token-widened AA',
  ],
  [
    access('token: none'),
    access('token: none, closable: a'),
    'access-closable-added BN',
    'access-closable-removed AA',
  ],
  [
    access('token: none, closable: b'),
    access('token: none, closable: a'),
    'access-closable-changed BN',
  ],
  [
    access('token: required'),
    access('token: required, anyOf: [admin]'),
    'access-restricted BN',
    'access-opened AA',
  ],
  [
    access('anyOf: [admin]'),
    access('anyOf: [admin, { self: path.id }]'),
    'access-alternative-added AA',
    'access-alternative-removed BN',
  ],
  [
    access('token: required'),
    access('token: required, allOf: [{ act-as: body.p }]'),
    'access-condition-added BN',
    'access-condition-removed AA',
  ],
  [access('provider: default'), access('provider: query.p'), 'access-provider-changed BN'],
  [
    access('token: required'),
    access('token: required, elevated: { of: [a] }'),
    'access-elevated-added BN',
    'access-elevated-removed AA',
  ],
  [
    access('elevated: { of: [a] }'),
    access('elevated: { of: [a, b] }'),
    'access-elevated-kind-added BN',
    'access-elevated-kind-removed AA',
  ],
  [
    access('elevated: { kinds: body.a }'),
    access('elevated: { kinds: body.b }'),
    'access-elevated-changed BN',
  ],
  [access('other: 1'), access('other: 2'), 'access-changed BN'],
  [access('anyOf: [a, b]'), access('anyOf: [b, a]'), 'access-rewritten EE'],
  [
    extended('x-stability: stable'),
    extended('x-stability: experimental'),
    'stability-decreased BN',
    'stability-increased AN',
  ],
  [
    extended('x-stability: stable'),
    extended('x-stability: deprecated'),
    'stability-deprecated AN',
    'stability-undeprecated AN',
  ],
  [get(OK), extended('x-stability: internal'), 'stability-changed AN'],
  [
    extended("x-versions: { introduced: '1' }"),
    extended("x-versions: { introduced: '1', removed: '3' }"),
    'removal-announced AA',
    'removal-withdrawn AA',
  ],
  [
    extended("x-versions: { removed: '3.10' }"),
    extended("x-versions: { removed: '3.9' }"),
    'removal-sooner BN',
    'removal-later AN',
  ],
  [
    extended("x-versions: { introduced: '1' }"),
    extended("x-versions: { introduced: '2' }"),
    'versions-changed EE',
  ],
  [
    get('responses: { 200: { description: ok, content: { application/json: {} } } }'),
    get(
      "responses: { 200: { description: ok, content: { 'application/json; charset=utf-8': {} } } }",
    ),
    'operation-rewritten EE',
  ],
  [
    extended('x-max-body-bytes: 20'),
    extended('x-max-body-bytes: 10'),
    'body-limit-lowered BN',
    'body-limit-raised AA',
  ],
  [get(OK), extended('x-max-body-bytes: 10'), 'body-limit-added BN', 'body-limit-removed BN'],
]
