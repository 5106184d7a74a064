// Prints security.gen.ts: the security schemes of a document, and for each the type of the hook
// that says who shows a credential. The client's means to show them come from here too.
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { importOf } from '../layout.ts'
import { literal, propertyKey, quote } from '../literals.ts'
import { fields, sortedEntries, text } from '../values.ts'

/** Kinds of credentials. */
type CredentialKind = 'basic' | 'bearer' | 'key' | 'other'

/** A scheme that requests can be checked for. */
export interface SchemeIr {
  readonly name: string
  readonly kind: CredentialKind
  /** Whether credentials of the scheme are granted scopes. */
  readonly isScoped: boolean
  /** The members that servers and clients need, as in the document. */
  readonly facts: Readonly<Record<string, string>>
  /** The credential in words, for a comment. */
  readonly what: string
}

const TYPES: Readonly<Record<CredentialKind, string>> = {
  basic: 'BasicCredential',
  bearer: 'BearerCredential',
  key: 'KeyCredential',
  other: 'OtherCredential',
}

/** The schemes of a document that say enough to be checked. */
export function schemesOf({ securitySchemes }: InterfaceIr): readonly SchemeIr[] {
  return sortedEntries(fields(securitySchemes)).flatMap(([name, value]) => {
    const known = schemeOf(fields(value))
    return known === undefined ? [] : [{ name, ...known }]
  })
}

function schemeOf(value: Readonly<Record<string, unknown>>): Omit<SchemeIr, 'name'> | undefined {
  const type = text(value['type']) ?? ''
  const [place, key] = [text(value['in']) ?? '', text(value['name']) ?? '']
  const scheme = text(value['scheme'])?.toLowerCase() ?? ''
  switch (type) {
    case 'apiKey':
      return {
        kind: 'key',
        isScoped: false,
        facts: { type, in: place, name: key },
        what: `An API key: the ${place} ${key}.`,
      }
    case 'http':
      return {
        kind: scheme === 'basic' || scheme === 'bearer' ? scheme : 'other',
        isScoped: false,
        facts: { type, scheme },
        what: `HTTP ${scheme}.`,
      }
    case 'oauth2':
      return { kind: 'bearer', isScoped: true, facts: { type }, what: 'A token of OAuth 2.' }
    case 'openIdConnect':
      return { kind: 'bearer', isScoped: true, facts: { type }, what: 'A token of OpenID Connect.' }
    case 'mutualTLS':
      return {
        kind: 'other',
        isScoped: false,
        facts: { type },
        what: "A client's certificate; whoever ends TLS tells it in a header.",
      }
    default:
      return undefined
  }
}

/** True for an operation that not everybody may call. */
export function isSecured({ security }: OperationIr): boolean {
  return security.some((needed) => Object.keys(needed).length > 0)
}

/** Text of security.gen.ts, without marker; undefined where nothing asks for credentials. */
export function printSecurity(ir: InterfaceIr): string | undefined {
  const schemes = schemesOf(ir)
  if (schemes.length === 0) return ir.operations.some(isSecured) ? NO_SCHEMES : undefined
  const types = new Set(schemes.map(({ kind }) => TYPES[kind]))
  const answers = new Set(schemes.map(({ isScoped }) => (isScoped ? 'Scoped' : 'Granted')))
  return [
    importOf('import type', [...types, ...answers, 'SecuredRequest'].sort(), '../support.gen.ts'),
    '\n/** The security schemes of the document, by name. */\n',
    'export const schemes = {\n',
    ...schemes.map(({ name, facts }) => `  ${propertyKey(name)}: ${literal(facts)},\n`),
    '} as const\n\n',
    '/** Says for each scheme who shows a credential; undefined where nobody does. */\n',
    'export type SecurityHooks<Principal> = {\n',
    ...schemes.map(printHook),
    '}\n',
  ].join('')
}

/** The guard's part for a document that does not describe its schemes: nobody is known. */
const NO_SCHEMES = `/** The document describes no security scheme that its operations name. */
export const schemes = {} as const

/** No credential can be looked for. */
export type SecurityHooks<_Principal> = {}
`

function printHook({ name, kind, isScoped, what }: SchemeIr): string {
  const answer = isScoped ? 'Scoped' : 'Granted'
  return [
    `  /** ${what.replaceAll(/\s+/gu, ' ').replaceAll('*/', '* /')} */\n`,
    `  readonly ${propertyKey(name)}: (credential: ${TYPES[kind]}, request: SecuredRequest) => ${answer}<Principal>\n`,
  ].join('')
}

/** Headers that fetch lets nobody set. */
const BROWSERS_OWN = /^(?:sec-|proxy-|cookie$|host$|origin$)/iu

/** A client's place for a scheme's credential; undefined if it cannot show it. */
function clientScheme({ kind, facts }: SchemeIr): string | undefined {
  if (facts['in'] === 'header' && BROWSERS_OWN.test(facts['name'] ?? '')) return undefined
  if (kind === 'key')
    return `{ kind: 'key', in: ${quote(facts['in'] ?? '')}, name: ${quote(facts['name'] ?? '')} }`
  if (kind === 'other')
    return facts['scheme'] === undefined
      ? undefined
      : `{ kind: 'other', scheme: ${quote(facts['scheme'])} }`
  return `{ kind: '${kind}' }`
}

/** Parts of a client for which a token alone is not enough. */
interface ClientSecurity {
  /** Type of the credentials that the client may be given, by scheme. */
  readonly type: string
  /** The table of schemes. */
  readonly table: string
}

/** Undefined where all that a document wants is a bearer token. */
export function clientSecurity(ir: InterfaceIr): ClientSecurity | undefined {
  const schemes = schemesOf(ir).filter((scheme) => clientScheme(scheme) !== undefined)
  if (schemes.every(({ kind }) => kind === 'bearer')) return undefined
  const members = schemes.map(({ name, kind }) => {
    const type = kind === 'basic' ? 'BasicCredential' : 'string'
    return `  readonly ${propertyKey(name)}?: Shown<${type}>\n`
  })
  const entries = schemes.map(
    (scheme) => `  ${propertyKey(scheme.name)}: ${clientScheme(scheme) ?? ''},\n`,
  )
  return {
    type: `/** What a client shows of itself, by security scheme. */\nexport interface Credentials {\n${members.join('')}}\n`,
    table: `const schemes: ClientSchemes = {\n${entries.join('')}}\n`,
  }
}
