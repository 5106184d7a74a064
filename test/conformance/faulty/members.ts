// What the library does about members and loans. Calls are admissible here: decoded, checked, with
// a token.
import { json, problem } from './call.ts'
import type { Call, Reply } from './call.ts'
import { fields } from './document.ts'
import type { Fields } from './exact-json.ts'
import { addLoan, addMember, isLent } from './library.ts'
import type { Library, Member } from './library.ts'

type Handler = (call: Call, library: Library) => Reply

/** Handlers by operation id. */
export const memberHandlers: Readonly<Record<string, Handler>> = {
  listMembers,
  addMember: ({ body }, library) => {
    const email = fields(body)['email']
    if ([...library.members.values()].some((member) => member['email'] === email))
      return problem(409, 'the address is taken')
    const member = addMember(library, fields(body))
    return json(201, member, { location: `/members/${member.id}` })
  },
  getMember: ofMember((member) => json(200, member)),
  changeMember: ofMember((old, { body }, library) => {
    const member = { ...old, ...fields(body) }
    library.members.set(String(member.id), member)
    return json(200, member)
  }),
  removeMember: ofMember((member, _, library) => {
    library.members.delete(String(member.id))
    return { status: 204, headers: {} }
  }),
  lendBook,
  getLoan: ({ parameters }, library) => {
    const loan = library.loans.get(String(parameters['loanId']).toLowerCase())
    return loan === undefined ? problem(404, 'there is no such loan') : json(200, loan)
  },
}

function ofMember(act: (member: Member, call: Call, library: Library) => Reply): Handler {
  return (call, library) => {
    const member = library.members.get(String(call.parameters['memberId']))
    return member === undefined
      ? problem(404, 'there is no such member')
      : act(member, call, library)
  }
}

function listMembers({ parameters }: Call, library: Library): Reply {
  const token = String(parameters['pageToken'] ?? 'm-0')
  if (!/^m-\d{1,20}$/u.test(token)) return problem(400, 'no page has this token', 'pageToken')
  const rest = [...library.members.values()].filter((member) => member.id > Number(token.slice(2)))
  const page = rest.slice(0, Number(parameters['limit'] ?? 5))
  const items = parameters['view'] === 'compact' ? page.map(compact) : page
  return json(200, {
    items,
    nextPageToken: page.length < rest.length ? `m-${page.at(-1)?.id ?? 0}` : undefined,
  })
}

function compact({ id, name, email, cardNumber, address, joined }: Fields): Fields {
  return { id, name, email, cardNumber, address, joined }
}

function lendBook({ body }: Call, library: Library): Reply {
  const { bookId, memberId, days } = fields(body)
  if (!library.books.has(String(bookId))) return problem(404, 'there is no such book', '/bookId')
  if (!library.members.has(String(memberId)))
    return problem(404, 'there is no such member', '/memberId')
  if (isLent(library, String(bookId))) return problem(409, 'the book is lent')
  const loan = addLoan(library, fields(body), Number(days))
  return json(201, loan, { location: `/loans/${loan.id}` })
}
