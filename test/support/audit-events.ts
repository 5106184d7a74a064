// Events as the audit reads them on the disk, in the form of today, where texts stand in a table,
// and in the one before. Shares no code with the engine.
import { member } from '../../runtime/host/member.ts'

export interface EventBody {
  readonly kind: 'create' | 'exercise'
  readonly node: number
  readonly contractId: string
  readonly choice: string
  readonly consuming: boolean
  readonly lastDescendant: number
  readonly argument: unknown
  readonly result: unknown
  readonly contract: {
    readonly contractId: string
    readonly templateId: string
    readonly payload: unknown
    readonly key1: string
    readonly key2: string
    readonly key3: string
  }
}

/** Places of the fields that the audit looks at. */
const EXERCISE = {
  texts: { contractId: 1, choice: 5 },
  values: { consuming: 6, lastDescendant: 10, argument: 11, result: 12 },
} as const
const CREATE = {
  texts: { contractId: 1, templateId: 2, key1: 7, key2: 8, key3: 9 },
  values: { payload: 12 },
} as const

/** The events that the body of an update says; none of a move. */
export function eventsIn(text: string): readonly EventBody[] {
  const body: unknown = JSON.parse(text)
  const events = Array.from<unknown>(Object(member(body, 'events') ?? []))
  const read = member(body, 'version') === undefined ? events : events.map(reader(body))
  const known: readonly EventBody[] = JSON.parse(JSON.stringify(read))
  return known
}

function reader(body: unknown): (event: unknown, node: number) => unknown {
  const texts = member(body, 'texts')
  const fieldsOf = (event: unknown, { texts: places, values }: typeof EXERCISE | typeof CREATE) =>
    Object.fromEntries([
      ...Object.entries(places).map(([name, place]) => [
        name,
        member(texts, String(member(event, String(place)))),
      ]),
      ...Object.entries(values).map(([name, place]) => [name, member(event, String(place))]),
    ])
  return (event, node) => {
    const kind = member(event, '0')
    if (kind === 'create') return { kind, node, contract: fieldsOf(event, CREATE) }
    const fields = fieldsOf(event, EXERCISE)
    return { kind, node, ...fields, consuming: fields['consuming'] === 1 }
  }
}
