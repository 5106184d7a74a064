// What is kept of a signature, a token or a command: the request, and the names of where it was
// made.
import type { Answer } from '../../support/http.ts'
import type { Binds } from './binding.ts'
import type { Place } from './ledger.ts'

/** The ids of a node and its ledger. */
type Names = Readonly<Pick<Place, 'uid' | 'synchronizer'>>

export interface Kept {
  /** Text for people. */
  readonly what: string
  readonly binds: Binds
  readonly line: string
  /** The body as it is sent, or made where it is. */
  readonly body?: object | ((place: Place) => Promise<object>)
  /** Asks with this token, or as this user of the node that is asked. */
  readonly by: { readonly token: string } | { readonly user: string }
  readonly made: Names
}

/** The names as they are now: the place has others after its data was replaced. */
export function namesOf({ uid, synchronizer }: Place): Names {
  return { uid, synchronizer }
}

export async function sendTo(place: Place, { by, line, body }: Kept): Promise<Answer> {
  const made = typeof body === 'function' ? await body(place) : body
  return place.send('token' in by ? by.token : place.tokenOf(by.user), line, made)
}

/** The same with the names of another place, also within bytes; none where nothing differs. */
export function renamed(kept: Kept, to: Names): readonly Kept[] {
  const { made, body, what } = kept
  if (body === undefined || typeof body === 'function') return []
  const [text, pairs] = [
    JSON.stringify(body),
    [
      [made.uid, to.uid],
      [made.synchronizer, to.synchronizer],
    ],
  ] as const
  const other = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'string' ? replaced(value, pairs) : value,
  )
  return other === text ? [] : [{ ...kept, body: JSON.parse(other), what: `${what}, renamed` }]
}

type Pairs = readonly (readonly [from: string, to: string])[]

/** Bytes are base64; lengths stand beside what is in them, so that only a name as long fits. */
function replaced(text: string, pairs: Pairs): string {
  const plain = pairs.reduce((all, [from, to]) => all.replaceAll(from, to), text)
  if (plain !== text || !/^[A-Za-z0-9+/]{40,}={0,2}$/.test(text)) return plain
  const bytes = Buffer.from(text, 'base64').toString('latin1')
  const fitting = pairs.filter(([from, to]) => from.length === to.length)
  const other = fitting.reduce((all, [from, to]) => all.replaceAll(from, to), bytes)
  return other === bytes ? text : Buffer.from(other, 'latin1').toString('base64')
}
