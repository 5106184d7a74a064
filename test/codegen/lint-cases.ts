// A bad and a good document for each of our lint rules: the finding is expected on the line that
// ends in `# here`.
export interface LintCase {
  readonly code: string
  readonly bad: string
  readonly good: string
}

const HEAD = "openapi: 3.1.0\ninfo: { title: T, version: '2.0.0' }\n"
const ANSWER = "responses: { '200': { description: d } }"

/**
 * A document with the operation GET /a/{id}, whose further lines are given; `root` are lines at the
 * top.
 */
function operation(lines: string, root = '', path = '/a/{id}'): string {
  const parameter = path.includes('{id}')
    ? '      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]\n'
    : ''
  const answer = lines.includes('responses:') ? '' : `      ${ANSWER}\n`
  return `${HEAD}${root}paths:\n  ${path}:\n    get:\n      operationId: getA\n${parameter}${answer}${indent(lines, 6)}\n`
}

/** A document with POST /a, whose body has the schema given in one line. */
function posted(schema: string, lines: string, mediaType = 'application/json'): string {
  const body = `requestBody:\n  content:\n    ${mediaType}:\n      schema: ${schema}`
  return `${HEAD}paths:\n  /a:\n    post:\n      operationId: postA\n      ${ANSWER}\n${indent(body, 6)}\n${indent(lines, 6)}\n`
}

/** A document with two operations. */
function pair(first: string, second: string): string {
  const one = (id: string, lines: string): string =>
    `  /${id}:\n    get:\n      operationId: ${id}\n      ${ANSWER}\n${indent(lines, 6)}\n`
  return `${HEAD}paths:\n${one('one', first)}${one('two', second)}`
}

/** A document with the schema A, whose lines are given, and others beside it. */
function schema(lines: string, others = ''): string {
  return `${HEAD}paths: {}\ncomponents:\n  schemas:\n    A:\n${indent(lines, 6)}\n${indent(others, 4)}\n`
}

/** A document with one query parameter in one line. */
function parameter(lines: string): string {
  return operation(`parameters:\n  - name: q\n${indent(lines, 4)}`, '', '/a')
}

function indent(lines: string, spaces: number): string {
  return lines
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(spaces) + line))
    .join('\n')
}

const access = (line: string): string => operation(`x-access:\n${indent(line, 2)}`)
const versions = (lines: string): string => operation(`x-versions:\n${indent(lines, 2)}`)
const CLOSED_CAT =
  'Cat: { type: object, required: [kind], properties: { kind: { const: cat } } }\nDog: { type: object, required: [kind], properties: { kind: { const: dog } } }'
const OPEN_PETS =
  'Cat: { type: object, required: [name], properties: { name: { type: string } } }\nDog: { type: object, required: [name], properties: { name: { type: string }, age: { type: string } } }'
const variants = '- $ref: "#/components/schemas/Cat"\n  - $ref: "#/components/schemas/Dog"'

const ACCESS: readonly LintCase[] = [
  {
    code: 'access-missing',
    bad: pair('x-access: { token: none }', '').replace('two:\n    get:', 'two:\n    get: # here'),
    good: pair('x-access: { token: none }', 'x-access: { token: none }'),
  },
  { code: 'access-shape', bad: access('token: maybe # here'), good: access('token: required') },
  {
    code: 'access-shape',
    bad: access('token: required\nclosable: proxy # here'),
    good: access('token: none\nclosable: proxy'),
  },
  {
    code: 'access-shape',
    bad: access('token: required\nelevated: { kinds: path.id, of: [A], needs: nobody } # here'),
    good: access('token: required\nelevated: { kinds: path.id, of: [A], needs: admin }'),
  },
  {
    code: 'access-unknown-key',
    bad: access('token: required\nanyof: [admin] # here'),
    good: access('token: required\nanyOf: [admin]'),
  },
  {
    code: 'access-unknown-rule',
    bad: access('token: required\nanyOf:\n  - admins # here'),
    good: access('token: required\nanyOf:\n  - admin'),
  },
  {
    code: 'access-unknown-rule',
    bad: access('token: required\nanyOf:\n  - self # here'),
    good: access('token: required\nanyOf:\n  - self: path.id'),
  },
  {
    code: 'access-repeated-rule',
    bad: access('token: required\nanyOf:\n  - admin\n  - admin # here'),
    good: access('token: required\nanyOf:\n  - admin\n  - wallet-user'),
  },
  {
    code: 'access-place',
    bad: access('token: required\nanyOf:\n  - self: header.id # here'),
    good: access('token: required\nanyOf:\n  - self: path.id'),
  },
  {
    code: 'access-undeclared-place',
    bad: access('token: required\nanyOf:\n  - self: path.user # here'),
    good: access('token: required\nanyOf:\n  - self: path.id'),
  },
  {
    code: 'access-undeclared-place',
    bad: posted(
      '{ type: object, properties: { a: { type: array, items: { type: object, properties: { b: { type: string } } } } } }',
      'x-access:\n  token: required\n  allOf:\n    - act-as: body.a.c # here',
    ),
    good: posted(
      '{ type: object, properties: { a: { type: array, items: { type: object, properties: { b: { type: string } } } } } }',
      'x-access:\n  token: required\n  allOf:\n    - act-as: body.a.b',
    ),
  },
  {
    code: 'access-place-not-text',
    bad: posted(
      '{ type: object, properties: { a: { type: integer } } }',
      'x-access:\n  token: required\n  anyOf:\n    - self: body.a # here',
    ),
    good: posted(
      '{ type: object, properties: { a: { type: array, items: { type: string } } } }',
      'x-access:\n  token: required\n  anyOf:\n    - self: body.a',
    ),
  },
  {
    code: 'access-open-with-rules',
    bad: access('token: none\nanyOf: [admin] # here'),
    good: access('token: none'),
  },
  {
    code: 'access-provider-missing',
    bad: operation('x-access: { token: required, anyOf: [idp-admin] } # here'),
    good: access('token: required\nanyOf: [idp-admin]\nprovider: default'),
  },
  {
    code: 'access-security',
    bad: operation('security: [{ key: [] }]\nx-access:\n  token: none # here'),
    good: operation('security: []\nx-access:\n  token: none'),
  },
  {
    code: 'access-security',
    bad: operation('security: []\nx-access:\n  token: required # here'),
    good: operation('security: [{ key: [] }]\nx-access:\n  token: required'),
  },
]

const LIFECYCLE: readonly LintCase[] = [
  {
    code: 'stability-value',
    bad: operation('x-stability: beta # here'),
    good: operation('x-stability: stable'),
  },
  {
    code: 'stability-missing',
    bad: pair('x-stability: stable', '').replace('two:\n    get:', 'two:\n    get: # here'),
    good: pair('', ''),
  },
  {
    code: 'versions-shape',
    bad: versions("introduced: '1.0'\nsince: '1.0' # here"),
    good: versions("introduced: '1.0'"),
  },
  {
    code: 'versions-shape',
    bad: versions("introduced: '1.0'\nmoved: /b # here"),
    good: versions("introduced: '1.0'\nmoved: { from: /b, in: '1.1' }"),
  },
  {
    code: 'versions-number',
    bad: versions('introduced: 1.10 # here'),
    good: versions("introduced: '1.10'"),
  },
  {
    code: 'versions-missing',
    bad: pair("x-versions: { introduced: '1.0' }", '').replace(
      'two:\n    get:',
      'two:\n    get: # here',
    ),
    good: pair('', ''),
  },
  {
    code: 'versions-order',
    bad: versions("introduced: '1.10'\nchanged: '1.9.1' # here"),
    good: versions("introduced: '1.9'\nchanged: '1.10'"),
  },
  {
    code: 'versions-future',
    bad: versions("introduced: '2.1' # here"),
    good: versions("introduced: '2.0'"),
  },
  {
    code: 'versions-removed',
    bad: versions("introduced: '1.0'\nremoved: '2.0' # here"),
    good: versions("introduced: '1.0'\nremoved: '2.1'"),
  },
  {
    code: 'versions-sunset',
    bad: versions("introduced: '1.0'\ndeprecated: '1.1'\nsunset: soon # here"),
    good: versions("introduced: '1.0'\ndeprecated: '1.1'\nsunset: '2027-01-31'"),
  },
  {
    code: 'versions-successor',
    bad: versions("introduced: '1.0'\nsuccessor: /b # here"),
    good: pair(
      "x-versions: { introduced: '1.0', successor: /two }",
      "x-versions: { introduced: '1.0', successor: one }",
    ),
  },
  {
    code: 'deprecated-disagrees',
    bad: operation("deprecated: true # here\nx-versions: { introduced: '1.0' }"),
    good: operation("deprecated: true\nx-versions: { introduced: '1.0', deprecated: '1.1' }"),
  },
  {
    code: 'deprecated-disagrees',
    bad: operation('deprecated: true # here\nx-stability: stable'),
    good: operation('deprecated: true\nx-stability: deprecated'),
  },
  {
    code: 'renamed-operation',
    bad: pair('', 'x-renamed-from: one # here'),
    good: pair('', 'x-renamed-from: three'),
  },
  {
    code: 'renamed-property',
    bad: schema(
      'properties:\n  a: { type: string }\n  b:\n    type: string\n    x-renamed-from: a # here',
    ),
    good: schema('properties:\n  b:\n    type: string\n    x-renamed-from: a'),
  },
]

const EXTENSIONS: readonly LintCase[] = [
  {
    code: 'interface-shape',
    bad: operation('', 'x-interface:\n  mounts: /a # here\n'),
    good: operation('', 'x-interface:\n  mount: /a\n'),
  },
  {
    code: 'interface-shape',
    bad: operation('', 'x-interface:\n  mount: a/ # here\n'),
    good: operation('', "x-interface:\n  mount: ''\n"),
  },
  {
    code: 'interface-phase',
    bad: operation('', 'x-interface:\n  checks:\n    - tokens # here\n'),
    good: operation('', 'x-interface:\n  checks:\n    - token\n'),
  },
  {
    code: 'extension-misspelled',
    bad: operation('x-acess: { token: none } # here'),
    good: operation('x-audit: { token: none }'),
  },
  {
    code: 'extension-misplaced',
    bad: operation('', 'x-stability: stable # here\n'),
    good: operation('x-stability: stable'),
  },
  {
    code: 'max-body-bytes',
    bad: posted('{}', 'x-max-body-bytes: 1.5 # here'),
    good: posted('{}', 'x-max-body-bytes: 15'),
  },
  {
    code: 'max-body-without-body',
    bad: operation('x-max-body-bytes: 15 # here'),
    good: posted('{}', 'x-max-body-bytes: 15'),
  },
  {
    code: 'refuses-shape',
    bad: operation(
      "x-refuses:\n  400: '' # here\nresponses: { 200: { description: d }, 400: { description: e } }",
    ),
    good: operation(
      'x-refuses:\n  400: times that have passed\nresponses: { 200: { description: d }, 400: { description: e } }',
    ),
  },
  {
    code: 'refuses-undeclared-status',
    bad: operation('x-refuses:\n  409: names that are taken # here'),
    good: operation(
      'x-refuses:\n  409: names that are taken\nresponses: { 200: { description: d }, 4XX: { description: e } }',
    ),
  },
  {
    code: 'error-shape',
    bad: schema('type: string\nmaxLength: 3\nx-error: { code: too-long } # here'),
    good: schema('type: string\nmaxLength: 3\nx-error: { code: TOO_LONG }'),
  },
  {
    code: 'error-shape',
    bad: schema(
      'type: string\nmaxLength: 3\nx-error:\n  code: TOO_LONG\n  reason: not {name} # here',
    ),
    good: schema(
      'type: string\nmaxLength: 3\nx-error:\n  code: TOO_LONG\n  reason: not {value}, [a]{1,2}',
    ),
  },
  {
    code: 'error-without-constraint',
    bad: schema('type: string\nx-error: { code: TOO_LONG } # here'),
    good: schema('type: string\nmaxLength: 3\nx-error: { code: TOO_LONG }'),
  },
]

const OPERATIONS: readonly LintCase[] = [
  {
    code: 'operation-id-case',
    bad: pair('', '').replace('operationId: two', 'operationId: ONE # here'),
    good: pair('', ''),
  },
  {
    code: 'path-case',
    bad: pair('', '').replace('  /one:', '  /TWO:').replace('  /two:', '  /two: # here'),
    good: pair('', ''),
  },
  {
    code: 'success-missing',
    bad: operation('responses: { 404: { description: d } }').replace('    get:', '    get: # here'),
    good: operation(
      'responses: { 302: { description: d, headers: { Location: { schema: { type: string } } } } }',
    ),
  },
  {
    code: 'success-without-schema',
    bad: operation(
      'responses:\n  200:\n    description: d\n    content:\n      application/json: {} # here',
    ),
    good: operation(
      'responses:\n  200:\n    description: d\n    content:\n      application/json: { schema: { type: string } }',
    ),
  },
  {
    code: 'head-with-body',
    bad: operation(
      'responses:\n  200:\n    description: d\n    content: { text/plain: {} } # here',
    ).replace('    get:', '    head:'),
    good: operation('').replace('    get:', '    head:'),
  },
  {
    code: 'redirect-without-location',
    bad: operation('responses:\n  302: { description: d } # here'),
    good: operation(
      'responses: { 302: { description: d, headers: { location: { schema: { type: string } } } } }',
    ),
  },
  {
    code: 'media-type',
    bad: posted('{}', '', 'json # here').replace('json # here:', 'json: # here'),
    good: posted('{}', ''),
  },
  {
    code: 'form-not-object',
    bad: posted('{ type: string }', '', 'multipart/form-data').replace(
      'multipart/form-data:',
      'multipart/form-data: # here',
    ),
    good: posted('{ type: object }', '', 'multipart/form-data'),
  },
  {
    code: 'delete-with-body',
    bad: posted('{}', '')
      .replace('post:', 'delete:')
      .replace('requestBody:', 'requestBody: # here'),
    good: posted('{}', ''),
  },
  {
    code: 'parameter-explode',
    bad: parameter(
      'in: query\nstyle: pipeDelimited\nexplode: true # here\nschema: { type: array, items: { type: string } }',
    ),
    good: parameter(
      'in: query\nstyle: pipeDelimited\nexplode: false\nschema: { type: array, items: { type: string } }',
    ),
  },
  {
    code: 'parameter-default-required',
    bad: parameter('in: query\nrequired: true\nschema: { type: string, default: a }').replace(
      '- name: q',
      '- name: q # here',
    ),
    good: parameter('in: query\nschema: { type: string, default: a }'),
  },
  {
    code: 'security-unused',
    bad: `${operation('')}components:\n  securitySchemes:\n    key: { type: http, scheme: bearer } # here\n`,
    good: `${operation('security: [{ key: [] }]')}components:\n  securitySchemes:\n    key: { type: http, scheme: bearer }\n`,
  },
  {
    code: 'security-missing',
    bad: pair('security: [{ key: [] }]', '').replace('two:\n    get:', 'two:\n    get: # here'),
    good: pair('security: [{ key: [] }]', 'security: []'),
  },
  {
    code: 'tag-undefined',
    bad: operation('tags:\n  - b # here', 'tags: [{ name: a }]\n'),
    good: operation('tags:\n  - b'),
  },
  {
    code: 'read-only-required',
    bad: posted(
      '{ type: object, required: [a], properties: { a: { type: string, readOnly: true } } } # here',
      '',
    ),
    good: posted('{ type: object, properties: { a: { type: string, readOnly: true } } }', ''),
  },
]

const SCHEMAS: readonly LintCase[] = [
  {
    code: 'range-impossible',
    bad: schema('type: string\nminLength: 3 # here\nmaxLength: 2'),
    good: schema('type: string\nminLength: 2\nmaxLength: 2'),
  },
  {
    code: 'range-impossible',
    bad: schema('type: integer\nexclusiveMinimum: 2\nexclusiveMaximum: 2 # here'),
    good: schema('type: integer\nexclusiveMinimum: 2\nexclusiveMaximum: 4'),
  },
  {
    code: 'keyword-not-for-type',
    bad: schema('type: integer\nmaxLength: 3 # here'),
    good: schema('type: [integer, string]\nmaxLength: 3'),
  },
  {
    code: 'format-not-for-type',
    bad: schema('type: integer\nformat: date-time # here'),
    good: schema('type: string\nformat: date-time'),
  },
  {
    code: 'integer-without-format',
    bad: schema('type: integer # here'),
    good: schema('type: integer\nminimum: 0\nmaximum: 9'),
  },
  {
    code: 'int64-unbounded',
    bad: schema('type: integer\nformat: int64 # here\nminimum: 0'),
    good: schema('type: integer\nformat: int64\nminimum: 0\nmaximum: 9'),
  },
  {
    code: 'array-without-items',
    bad: schema('type: array # here'),
    good: schema('type: array\nitems: { type: string }'),
  },
  {
    code: 'pattern-unanchored',
    bad: schema("type: string\npattern: 'a+$' # here"),
    good: schema("type: string\npattern: '^a+$'"),
  },
  {
    code: 'pattern-slow',
    bad: schema("type: string\npattern: '^(a+)+$' # here"),
    good: schema("type: string\npattern: '^(?:a+b)+$'"),
  },
  {
    code: 'required-impossible',
    bad: schema(
      'type: object\nadditionalProperties: false\nproperties: { a: { type: string } }\nrequired:\n  - b # here',
    ),
    good: schema('type: object\nproperties: { a: { type: string } }\nrequired:\n  - b'),
  },
  {
    code: 'required-repeated',
    bad: schema(
      'type: object\nproperties: { a: { type: string } }\nrequired:\n  - a\n  - a # here',
    ),
    good: schema('type: object\nproperties: { a: { type: string } }\nrequired:\n  - a'),
  },
  {
    code: 'default-required',
    bad: schema(
      'type: object\nrequired: [a]\nproperties:\n  a: { type: string, default: b } # here',
    ),
    good: schema('type: object\nproperties:\n  a: { type: string, default: b }'),
  },
  {
    code: 'const-not-of-type',
    bad: schema('type: string\nconst: 1 # here'),
    good: schema('type: number\nconst: 1'),
  },
  {
    code: 'read-write-only',
    bad: schema('type: string\nreadOnly: true # here\nwriteOnly: true'),
    good: schema('type: string\nreadOnly: true'),
  },
  {
    code: 'property-case',
    bad: schema('properties:\n  userID: { type: string }\n  userId: { type: string } # here'),
    good: schema('properties:\n  userId: { type: string }'),
  },
  {
    code: 'content-encoding',
    bad: schema('properties:\n  a:\n    type: string\n    contentEncoding: zip # here'),
    good: schema('properties:\n  a:\n    type: string\n    contentEncoding: base64'),
  },
]

const UNIONS: readonly LintCase[] = [
  {
    code: 'variants-indistinct',
    bad: schema(`oneOf:\n  ${variants} # here`, OPEN_PETS),
    good: schema(`oneOf:\n  ${variants}`, CLOSED_CAT),
  },
  {
    code: 'variants-indistinct',
    bad: schema('oneOf:\n  - { type: integer }\n  - { type: number } # here'),
    good: schema('oneOf:\n  - { type: integer }\n  - { type: string }'),
  },
  {
    code: 'variant-repeated',
    bad: schema('oneOf:\n  - { type: string }\n  - { type: string } # here'),
    good: schema('oneOf:\n  - { type: string }\n  - { type: boolean }'),
  },
  {
    code: 'discriminator-missing-tag',
    bad: schema(
      `discriminator: { propertyName: kind }\noneOf:\n  ${variants} # here`,
      `${CLOSED_CAT.split('\n')[0] ?? ''}\nDog: { type: object }`,
    ),
    good: schema(`discriminator: { propertyName: kind }\noneOf:\n  ${variants}`, CLOSED_CAT),
  },
  {
    code: 'discriminator-open-tag',
    bad: schema(
      `discriminator: { propertyName: name }\noneOf:\n  - $ref: "#/components/schemas/Cat" # here`,
      OPEN_PETS,
    ),
    good: schema(`discriminator: { propertyName: kind }\noneOf:\n  ${variants}`, CLOSED_CAT),
  },
  {
    code: 'discriminator-mapping',
    bad: schema(
      `oneOf:\n  - $ref: "#/components/schemas/Cat"\ndiscriminator:\n  propertyName: kind\n  mapping:\n    dog: "#/components/schemas/Dog" # here`,
      CLOSED_CAT,
    ),
    good: schema(
      `oneOf:\n  ${variants}\ndiscriminator:\n  propertyName: kind\n  mapping:\n    dog: Dog`,
      CLOSED_CAT,
    ),
  },
  {
    code: 'all-of-impossible',
    bad: schema('allOf:\n  - { type: string }\n  - { type: integer, format: int32 } # here'),
    good: schema('allOf:\n  - { type: string }\n  - { maxLength: 3 }'),
  },
  {
    code: 'all-of-closed',
    bad: schema(
      'allOf:\n  - { type: object, additionalProperties: false, properties: { a: { type: string } } } # here\n  - { type: object, properties: { b: { type: string } } }',
    ),
    good: schema(
      'allOf:\n  - { type: object, properties: { a: { type: string } } }\n  - { type: object, properties: { b: { type: string } } }',
    ),
  },
]

/** Every case. */
export const LINT_CASES: readonly LintCase[] = [
  ...ACCESS,
  ...LIFECYCLE,
  ...EXTENSIONS,
  ...OPERATIONS,
  ...SCHEMAS,
  ...UNIONS,
]
