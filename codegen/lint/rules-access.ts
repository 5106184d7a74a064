// Rules for `x-access`: who may call an operation (docs/spec-conventions.md has the grammar).
import { canonicalJson } from '../json.ts'
import { fields, isFields, items, text } from '../values.ts'
import type { Fields } from '../values.ts'
import { canBeText, isPlace, schemasAt } from './access-places.ts'
import type { Model, OperationNode } from './model.ts'
import { forOperations, hit, hitIf } from './rule.ts'
import type { Hit } from './rule.ts'

const FLAGS = ['submits', 'probe']
const KEYS = ['token', ...FLAGS, 'closable', 'anyOf', 'allOf', 'provider', 'elevated']
const TOKENS = ['none', 'required', 'subject']
const PLAIN = ['admin', 'idp-admin', 'read-as-any-party', 'wallet-user', 'validator-operator']
const WITH_TEXTS = ['self', 'named-self', 'act-as', 'read-as', 'execute-as', 'operate-as']
const WITH_PLACE = [...WITH_TEXTS, 'read-format']
const ELEVATED_KEYS = ['kinds', 'of', 'needs']

interface Entry {
  readonly keys: readonly string[]
  readonly name: string
  readonly where: unknown
}

/** Entries of anyOf and allOf, with the path to each from the operation. */
function entries(access: Fields): readonly Entry[] {
  return ['anyOf', 'allOf'].flatMap((list) =>
    items(access[list]).map((rule, index): Entry => {
      const keys = ['x-access', list, String(index)]
      if (typeof rule === 'string') return { keys, name: rule, where: undefined }
      const [name, where] = Object.entries(fields(rule))[0] ?? ['', undefined]
      return { keys, name, where }
    }),
  )
}

/** Every place that the operation's access names, in rules, `provider` and `elevated`. */
function places(access: Fields): readonly Entry[] {
  const named = entries(access)
    .filter(({ name }) => WITH_PLACE.includes(name))
    .flatMap(({ keys, name, where }) => {
      return (Array.isArray(where) ? items(where) : [where]).map((one) => ({
        keys,
        name,
        where: one,
      }))
    })
  const provider = access['provider']
  const hasProvider = provider !== undefined && provider !== 'default' && provider !== 'none'
  const elevated = fields(access['elevated'])
  return [
    ...named,
    ...(hasProvider ? [{ keys: ['x-access', 'provider'], name: 'provider', where: provider }] : []),
    ...('kinds' in elevated
      ? [{ keys: ['x-access', 'elevated', 'kinds'], name: 'elevated', where: elevated['kinds'] }]
      : []),
  ]
}

function ofAccess(
  check: (access: Fields, operation: OperationNode, model: Model) => readonly Hit[],
): (operation: OperationNode, model: Model) => readonly Hit[] {
  return (operation, model) => {
    const access = operation.value['x-access']
    return isFields(access) ? check(access, operation, model) : []
  }
}

function shapeHits(access: Fields): readonly Hit[] {
  const { token, closable } = access
  return [
    ...FLAGS.flatMap((flag) =>
      hitIf(
        flag in access && typeof access[flag] !== 'boolean',
        `${flag} must be true or false`,
        'x-access',
        flag,
      ),
    ),
    ...hitIf(
      !TOKENS.includes(String(token)),
      `token must be one of ${TOKENS.join(', ')}`,
      'x-access',
      'token',
    ),
    ...['anyOf', 'allOf'].flatMap((key) =>
      hitIf(
        key in access && !Array.isArray(access[key]),
        `${key} must be a list of rules`,
        'x-access',
        key,
      ),
    ),
    ...hitIf(
      closable !== undefined && (typeof closable !== 'string' || token !== 'none'),
      'closable is a name and belongs to `token: none`',
      'x-access',
      'closable',
    ),
  ]
}

function elevatedHits(access: Fields): readonly Hit[] {
  if (!('elevated' in access)) return []
  const elevated = fields(access['elevated'])
  const unknown = Object.keys(elevated).filter((key) => !ELEVATED_KEYS.includes(key))
  return [
    ...hitIf(
      !('kinds' in elevated) || !Array.isArray(elevated['of']),
      'elevated needs `kinds`, a place, and `of`, a list',
      'x-access',
      'elevated',
    ),
    ...hitIf(
      elevated['needs'] !== 'admin',
      'elevated can need `admin` only',
      'x-access',
      'elevated',
    ),
    ...unknown.map((key) => hit(`elevated has no key '${key}'`, 'x-access', 'elevated', key)),
  ]
}

function ruleHits(access: Fields): readonly Hit[] {
  return entries(access).flatMap(({ keys, name, where }) => {
    if (PLAIN.includes(name))
      return hitIf(where !== undefined, `rule '${name}' takes no place`, ...keys)
    if (!WITH_PLACE.includes(name)) return [hit(`there is no rule '${name}'`, ...keys)]
    return hitIf(
      where === undefined,
      `rule '${name}' needs a place: { ${name}: path.NAME }`,
      ...keys,
    )
  })
}

function twiceHits(access: Fields): readonly Hit[] {
  return ['anyOf', 'allOf'].flatMap((list) => {
    const texts = items(access[list]).map((one) => canonicalJson(one))
    return texts.flatMap((one, index) =>
      hitIf(
        texts.indexOf(one) < index,
        `rule ${one} is listed twice in ${list}`,
        'x-access',
        list,
        String(index),
      ),
    )
  })
}

function undeclaredHits(access: Fields, operation: OperationNode, model: Model): readonly Hit[] {
  return places(access).flatMap(({ keys, where }) => {
    if (!isPlace(where)) return []
    return hitIf(
      schemasAt(model, operation, where).length === 0,
      `${operation.label} declares no '${where}'`,
      ...keys,
    )
  })
}

function notTextHits(access: Fields, operation: OperationNode, model: Model): readonly Hit[] {
  return places(access).flatMap(({ keys, name, where }) => {
    if (!isPlace(where) || !WITH_TEXTS.includes(name)) return []
    const found = schemasAt(model, operation, where)
    return hitIf(
      found.length > 0 && !found.some((one) => canBeText(model, one)),
      `'${where}' is not text: rule '${name}' never finds anybody there`,
      ...keys,
    )
  })
}

/** Schemes that a request must satisfy; undefined when the document says nothing of security. */
function securityOf(operation: OperationNode, model: Model): readonly unknown[] | undefined {
  const security = operation.value['security'] ?? model.document['security']
  return Array.isArray(security) ? items(security) : undefined
}

function securityHits(access: Fields, operation: OperationNode, model: Model): readonly Hit[] {
  const security = securityOf(operation, model)
  if (security === undefined) return []
  const isOpen =
    security.length === 0 || security.some((one) => Object.keys(fields(one)).length === 0)
  const { token } = access
  return [
    ...hitIf(
      token === 'none' && !isOpen && access['closable'] === undefined,
      'nobody needs a token here, but `security` asks for one: say `security: []`',
      'x-access',
      'token',
    ),
    ...hitIf(
      (token === 'required' || token === 'subject') && security.length === 0,
      'a token is needed here, but `security` is empty: clients will not send one',
      'x-access',
      'token',
    ),
  ]
}

/** Rules for `x-access`. */
export const ACCESS_RULES = {
  'access-missing': forOperations(
    'error',
    'If some operations say who may call them, each must, or the service does not start.',
    (operation, model) =>
      hitIf(
        operation.value['x-access'] === undefined &&
          model.operations.some(({ value }) => 'x-access' in value),
        `${operation.label} has no x-access, others have`,
      ),
  ),
  'access-shape': forOperations(
    'error',
    'The service does not start with an invalid `x-access`.',
    (operation) => {
      const access = operation.value['x-access']
      if (access === undefined) return []
      return isFields(access)
        ? [...shapeHits(access), ...elevatedHits(access)]
        : [hit('x-access must be an object', 'x-access')]
    },
  ),
  'access-unknown-key': forOperations(
    'error',
    'An unknown key protects nothing.',
    ofAccess((access) =>
      Object.keys(access)
        .filter((key) => !KEYS.includes(key))
        .map((key) => hit(`x-access has no key '${key}'`, 'x-access', key)),
    ),
  ),
  'access-unknown-rule': forOperations(
    'error',
    'The service does not start with a rule that it cannot enforce.',
    ofAccess(ruleHits),
  ),
  'access-repeated-rule': forOperations(
    'warning',
    'The rule is listed twice; probably another one was meant.',
    ofAccess(twiceHits),
  ),
  'access-place': forOperations(
    'error',
    'A rule can refer to `path.NAME`, `query.NAME` or `body.A.B`, or the service does not start.',
    ofAccess((access) =>
      places(access).flatMap(({ keys, where }) =>
        hitIf(
          where !== undefined && !isPlace(where),
          `${canonicalJson(where)} is not a place: path.NAME, query.NAME or body.A.B`,
          ...keys,
        ),
      ),
    ),
  ),
  'access-undeclared-place': forOperations(
    'error',
    'Requests have no such place, so the rule admits or rejects everybody.',
    ofAccess(undeclaredHits),
  ),
  'access-place-not-text': forOperations(
    'error',
    'Users and parties are texts: a place with another type never names one.',
    ofAccess(notTextHits),
  ),
  'access-open-with-rules': forOperations(
    'error',
    'Without a token there is no caller: rules beside `token: none` never apply.',
    ofAccess((access) =>
      ['anyOf', 'allOf', 'elevated'].flatMap((key) =>
        hitIf(
          access['token'] === 'none' && key in access,
          `${key} means nothing beside \`token: none\``,
          'x-access',
          key,
        ),
      ),
    ),
  ),
  'access-provider-missing': forOperations(
    'warning',
    'Without `provider`, `idp-admin` has no provider to be compared with.',
    ofAccess((access) =>
      hitIf(
        entries(access).some(({ name }) => name === 'idp-admin') &&
          text(access['provider']) === undefined,
        'idp-admin without `provider`: say which provider is concerned',
        'x-access',
      ),
    ),
  ),
  'access-security': forOperations(
    'warning',
    'Clients and tools read `security`, the service `x-access`: the two must agree.',
    ofAccess(securityHits),
  ),
}
