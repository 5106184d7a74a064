// Errors in the form that the document itself gives them: the status that an operation declares,
// and a body that fits its schema. For servers of documents that were not written for this project,
// whose errors may look like anything.
import type { PresentContext, Presented, Presenter, Problem } from './problem.ts'
import type { Issue, WireMedia, WireOperation, WireResponse } from './wire.ts'
import { STATUSES } from './problem.ts'
import { isXml } from './media.ts'
import { plainPresenter, plainTextPresenter } from './plain-presenter.ts'
import { referred, sampleProblem } from './problem-sample.ts'

/** Samples that are tried, those with the fewest members first. */
const SHAPES = [false, true].flatMap((isFull) => [0, 1, 2, 3].map((branch) => ({ branch, isFull })))

/** One operation's form of one kind of problem; all that differs from then on is the sentence. */
interface Form {
  readonly status: number
  readonly mediaType?: string
  readonly headers: Readonly<Record<string, string>>
  /** Absent where the status is declared, but no body is known that its schema admits. */
  readonly body?: (sentence: string) => unknown
}

/**
 * Presents problems as `document` (a generated `openapi.json`) declares errors: the first fitting
 * status that is declared, by its number, its class or `default`. The sentence stands in the member
 * that is made for it, such as `message`. Where nothing fitting is declared, and outside of
 * operations, `otherwise` answers.
 *
 * @example
 * mountInterface({ wire, handlers, guard, presenter: documentedPresenter(document) })
 */
export function documentedPresenter(
  document: unknown,
  otherwise: Presenter = plainPresenter,
): Presenter {
  const forms = new Map<WireOperation, Map<Problem['kind'], Form | undefined>>()
  const formOf = (operation: WireOperation, kind: Problem['kind']): Form | undefined => {
    const known = forms.get(operation) ?? new Map<Problem['kind'], Form | undefined>()
    forms.set(operation, known)
    if (!known.has(kind)) known.set(kind, findForm(document, operation, STATUSES[kind]))
    return known.get(kind)
  }
  return {
    present: (problem: Problem, context: PresentContext): Presented => {
      const plain = otherwise.present(problem, context)
      const form =
        context.operation === undefined ? undefined : formOf(context.operation, problem.kind)
      if (form === undefined) return plain
      const { status, mediaType = plain.mediaType, headers } = form
      const sentence = String(plainTextPresenter.present(problem, context).body)
      const body = form.body === undefined ? plain.body : form.body(sentence)
      return { status, mediaType, body, headers: { ...plain.headers, ...headers } }
    },
  }
}

function findForm(
  document: unknown,
  operation: WireOperation,
  statuses: readonly number[],
): Form | undefined {
  const [best = 500] = statuses
  const named = (text: string): WireResponse | undefined =>
    operation.responses.find(({ status }) => status.toUpperCase() === text)
  const candidates = [
    ...statuses.map((status) => [status, named(String(status))] as const),
    [best, named(`${Math.floor(best / 100)}XX`)] as const,
    [best, named('DEFAULT')] as const,
  ]
  for (const [status, response] of candidates) {
    const form = response === undefined ? undefined : formIn(document, operation, response, status)
    if (form !== undefined) return form
  }
  const status = statuses.find((one) => named(String(one)) !== undefined)
  return status === undefined ? undefined : { status, headers: {} }
}

/** Undefined where no body can be found that the schema admits. */
function formIn(
  document: unknown,
  operation: WireOperation,
  response: WireResponse,
  status: number,
): Form | undefined {
  const declared = responseIn(document, operation, response.status)
  const headers = Object.fromEntries(
    response.headers
      .filter(({ required }) => required)
      .map(({ name }) => {
        const value = sampleProblem(
          member(member(member(declared, 'headers'), name), 'schema'),
          { sentence: name, status },
          { document, branch: 0 },
        )
        return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
      }),
  )
  if (response.media.length === 0) return { status, headers, body: () => undefined }
  for (const media of response.media) {
    if (media.kind === 'text')
      return { status, headers, mediaType: media.mediaType, body: (sentence) => sentence }
    if (isXml(media.mediaType)) return { status, headers, mediaType: media.mediaType, body: xmlOf }
    const schema = member(member(member(declared, 'content'), media.mediaType), 'schema')
    const shape = media.kind === 'json' ? fittingShape(document, media, schema, status) : undefined
    if (shape === undefined) continue
    const mediaType = media.mediaType.includes('*') ? 'application/json' : media.mediaType
    return {
      status,
      headers,
      mediaType,
      body: (sentence) => sampleProblem(schema, { sentence, status }, { document, ...shape }),
    }
  }
  return undefined
}

/** An error in XML. Nobody knows its elements: no check of XML reads its schema. */
function xmlOf(sentence: string): string {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<error>${text}</error>\n`
}

function fittingShape(
  document: unknown,
  media: WireMedia,
  schema: unknown,
  status: number,
): (typeof SHAPES)[number] | undefined {
  return SHAPES.find((shape) => {
    const issues: Issue[] = []
    media.check?.(
      sampleProblem(schema, { sentence: 'A sentence.', status }, { document, ...shape }),
      issues,
    )
    return issues.length === 0
  })
}

function responseIn(document: unknown, { path, method }: WireOperation, status: string): unknown {
  const responses = member(
    member(member(member(document, 'paths'), path), method.toLowerCase()),
    'responses',
  )
  const response = member(responses, status) ?? member(responses, status.toLowerCase())
  const ref = member(response, '$ref')
  return typeof ref === 'string' ? referred(document, ref) : response
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}
