// The contacts of whoever asks: names for party ids, kept in the user's own notes, which nobody
// else reads or writes; each user has room for some hundreds.
// docs/decisions/0037-people.md
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { isReadable } from '../../runtime/index.ts'
import type { ExtensionOffers, ExtensionService, OwnNotes } from '../../runtime/index.ts'

type Router = Parameters<NonNullable<ExtensionService['mount']>>[0]
type Answer = Parameters<Parameters<Router['get']>[1]>[0]

/** A party id, the `id` of users in `spec/ledger.yaml`. */
const PARTY = /^(?=.{4,255}$)[A-Za-z0-9_ -]+(?::[A-Za-z0-9_ -]+)*::[A-Za-z0-9_-]+$/u
/** Names are of one line, and no two of them differ by their spaces alone. */
const NAME = z.strictObject({
  name: z
    .string()
    .refine((name) => !name.includes('\n'))
    .transform((name) => name.normalize('NFC').trim().replaceAll(/\s+/gu, ' '))
    .pipe(z.string().min(1).max(60).refine(isReadable)),
})
const MAX_BODY_BYTES = 1_000

const CONTACTS = z.record(z.string(), z.string())
type Contacts = z.output<typeof CONTACTS>

interface Refusal {
  readonly status: number
  readonly error: string
}

/**
 * `GET /wallet/contacts`, and `PUT` (with `{ "name": … }`) and `DELETE /wallet/contacts/{party}`.
 * 401 without a token of a user, 400 for what is no party id or no name, 409 for a name that
 * another contact has, 507 where the user's room is used up.
 */
export function mountContacts(router: Router, { notesOf }: ExtensionOffers): void {
  const answer = async (
    context: Answer,
    act: (notes: OwnNotes) => Promise<Contacts | Refusal>,
  ): Promise<void> => {
    context.set('Cache-Control', 'no-store')
    context.set('X-Content-Type-Options', 'nosniff')
    context.type = 'application/json'
    const notes = await notesOf?.(context.req)
    const done = notes === undefined ? { status: 401, error: 'log in first' } : await act(notes)
    context.status = isRefusal(done) ? done.status : 200
    context.body = JSON.stringify(isRefusal(done) ? { error: done.error } : listed(done))
    // Nobody reads the rest of a body that is too long; another request cannot follow it.
    if (!context.req.complete) context.set('Connection', 'close')
  }
  router.get('/wallet/contacts', (context) =>
    answer(context, async (notes) => contactsIn(await notes.read())),
  )
  router.put('/wallet/contacts/:party', (context) =>
    answer(context, async (notes) => {
      const party = context.params['party'] ?? ''
      const body = NAME.safeParse(await bodyOf(context.req))
      if (!PARTY.test(party)) return { status: 400, error: 'that is no party id' }
      if (!body.success)
        return { status: 400, error: 'a name has 1 to 60 characters that are seen' }
      return change(notes, (contacts) => named(contacts, party, body.data.name))
    }),
  )
  router.delete('/wallet/contacts/:party', (context) =>
    answer(context, (notes) =>
      change(notes, ({ [context.params['party'] ?? '']: _, ...others }) => others),
    ),
  )
}

function named(contacts: Contacts, party: string, name: string): Contacts | Refusal {
  const isTaken = Object.entries(contacts).some(
    ([other, taken]) => other !== party && taken.toLowerCase() === name.toLowerCase(),
  )
  return isTaken
    ? { status: 409, error: `${name} is the name of another person of yours` }
    : { ...contacts, [party]: name }
}

async function change(
  notes: OwnNotes,
  to: (contacts: Contacts) => Contacts | Refusal,
): Promise<Contacts | Refusal> {
  let done: Contacts | Refusal = {}
  const outcome = await notes.change((text) => {
    done = to(contactsIn(text))
    return isRefusal(done) ? text : JSON.stringify(done)
  })
  return outcome === 'written'
    ? done
    : { status: 507, error: 'there is no room for more people: remove one first' }
}

/** None where the text is not what is written here. */
function contactsIn(text: string): Contacts {
  try {
    const read = CONTACTS.safeParse(JSON.parse(text === '' ? '{}' : text))
    return read.success ? read.data : {}
  } catch {
    return {}
  }
}

function listed(contacts: Contacts): object {
  return { contacts: Object.entries(contacts).map(([party, name]) => ({ party, name })) }
}

function isRefusal(value: Contacts | Refusal): value is Refusal {
  return typeof value['status'] === 'number'
}

/** Undefined for what is too long or no JSON, and where the client goes away. */
async function bodyOf(stream: Readable): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of stream.iterator({ destroyOnReturn: false })) {
      const chunk = Buffer.from(part)
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) return undefined
      parts.push(chunk)
    }
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return undefined
  }
}
