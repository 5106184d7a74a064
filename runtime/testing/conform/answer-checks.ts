// What must hold of every answer of an operation, whatever was asked: no server error, a declared
// status, and headers, media type and body as declared for that status.
import { drawsOf } from './draws.ts'
import type { Issue, MediaFact, OperationFacts, ResponseFact } from './facts.ts'
import type { Answer } from './sender.ts'
import type { Complaint } from './violation.ts'

export interface AnswerRules {
  readonly maxResponseMs: number | undefined
  /** True where the caller has allowed this status for the operation. */
  isAllowed(operationId: string, status: number): boolean
  parse(text: string): unknown
}

/** An answer that has been looked at: what it holds, and what is wrong with it. */
interface Examined {
  /** The parsed JSON body; undefined where there is none. */
  readonly value: unknown
  readonly complaints: readonly Complaint[]
}

/** Traces of the inside that no client should see. */
const INSIDES: readonly (readonly [RegExp, string])[] = [
  [/(?:\n|\\n)\s+at (?:async )?[^\s()"]+ ?\(?[^\s()"]+:\d+:\d+\)?/u, 'a stack trace'],
  [
    /Traceback \(most recent call last\)|(?:\n|\\n)\s+File \\?"[^"]+\\?", line \d+/u,
    'a stack trace',
  ],
  [
    /(?:\n|\\n|\\t)\s*at [\w$.]+\([\w]+\.(?:java|kt|scala):\d+\)|goroutine \d+ \[running\]/u,
    'a stack trace',
  ],
  [
    /\bSQLITE_[A-Z]{3,}|\bSQLSTATE\b|syntax error at or near|\bORA-\d{5}\b|violates (?:unique|foreign key|check|not-null) constraint/u,
    'SQL',
  ],
  [/\b(?:SELECT\b.{1,200}\bFROM\b|INSERT INTO\b|DELETE FROM\b|UPDATE\b.{1,80}\bSET\b)/u, 'SQL'],
  [/\b(?:select [^.]{1,80} from|insert into|delete from|update) (?:`|\\")\w+(?:`|\\")/u, 'SQL'],
]

/** Examines an answer of an operation. */
export function examine(operation: OperationFacts, answer: Answer, rules: AnswerRules): Examined {
  const { status } = answer
  const isAllowed = rules.isAllowed(operation.operationId, status)
  const complaints: Complaint[] = []
  const complain = (check: Complaint['check'], sentence: string): void =>
    void complaints.push({ check, sentence, status })
  if (rules.maxResponseMs !== undefined && answer.milliseconds > rules.maxResponseMs) {
    complain(
      'response-time',
      `the answer took ${Math.round(answer.milliseconds)} ms, more than ${rules.maxResponseMs} ms`,
    )
  }
  if (status >= 500 && !isAllowed && !isMeant(operation, status))
    complain('not-a-server-error', `the server failed with ${status}`)
  const inside =
    status < 400 ? undefined : INSIDES.find(([sign]) => sign.test(answer.body.toString('utf8')))
  if (inside !== undefined) complain('not-a-server-error', `the error's body shows ${inside[1]}`)
  const response = responseFor(operation, status)
  if (response === undefined) {
    // A document that declares no answer at all says nothing of them.
    if (!isAllowed && status < 500 && operation.responses.length > 0)
      complain('status', `status ${status} is not declared`)
    return { value: looseValue(answer, rules), complaints }
  }
  for (const issue of headerIssues(response, answer))
    complain('response-headers', `header ${issue}`)
  const { value, problems } =
    drawsOf(operation)?.impossible.includes(status) === true
      ? { value: looseValue(answer, rules), problems: [] }
      : bodyOf(operation, response, answer, rules)
  for (const [check, sentence] of problems) complain(check, sentence)
  return { value, complaints }
}

/**
 * True for a 5xx that the document names. A 500 is also what a crash looks like, so that one counts
 * only where nothing else is declared.
 */
function isMeant({ responses }: OperationFacts, status: number): boolean {
  return (
    responses.some((response) => response.status === String(status)) &&
    (status !== 500 || responses.every((response) => response.status.startsWith('5')))
  )
}

/** The declared response of a status: by the exact number, by its class, or the default. */
export function responseFor(
  { responses }: OperationFacts,
  status: number,
): ResponseFact | undefined {
  return (
    responses.find((one) => one.status === String(status)) ??
    responses.find((one) => one.status === `${Math.floor(status / 100)}XX`) ??
    responses.find((one) => one.status === 'default')
  )
}

function headerIssues({ headers }: ResponseFact, answer: Answer): readonly string[] {
  return headers.flatMap(({ name, required, check }) => {
    const text = answer.headers.get(name.toLowerCase())
    const issues: Issue[] = []
    if (text !== undefined) check?.(text, issues)
    else if (required) return [`${name} is required`]
    return issues.map(({ pointer, message }) => `${pointer.replace(/^\//u, '')} ${message}`)
  })
}

interface ReadBody {
  readonly value: unknown
  readonly problems: readonly (readonly [Complaint['check'], string])[]
}

function bodyOf(
  operation: OperationFacts,
  response: ResponseFact,
  answer: Answer,
  rules: AnswerRules,
): ReadBody {
  const { status, body } = answer
  const contentType = answer.headers.get('content-type')
  if (operation.method === 'HEAD' || status === 204 || status === 304)
    return { value: undefined, problems: [] }
  if (response.media.length === 0) {
    const isEmpty = body.length === 0
    return {
      value: isEmpty ? undefined : looseValue(answer, rules),
      problems: isEmpty
        ? []
        : [
            [
              'content-type',
              `a body of ${contentType ?? 'no media type'} came where status ${status} declares none`,
            ],
          ],
    }
  }
  const declared = response.media.map(({ mediaType }) => mediaType).join(', ')
  if (contentType === undefined)
    return {
      value: undefined,
      problems: [['content-type', `no content type came, declared is ${declared}`]],
    }
  const media = mediaOf(response.media, contentType)
  if (media === undefined) {
    return {
      value: looseValue(answer, rules),
      problems: [['content-type', `content type ${contentType} is not declared, but ${declared}`]],
    }
  }
  return answer.isStream ? { value: undefined, problems: [] } : valueOf(media, answer, rules)
}

function valueOf(media: MediaFact, { body }: Answer, rules: AnswerRules): ReadBody {
  const text = body.toString('utf8')
  try {
    switch (media.kind) {
      case 'json':
        return checked(media, rules.parse(text))
      case 'text':
        return checked(media, text)
      case 'json-lines':
        return checkedItems(
          media,
          text
            .split(/^application\/json-seq/iu.test(media.mediaType) ? '\u001e' : '\n')
            .filter((line) => line.trim() !== '')
            .map((line) => rules.parse(line)),
        )
      default:
        return { value: undefined, problems: [] }
    }
  } catch {
    return {
      value: undefined,
      problems: [['response-body', `the body is not ${media.mediaType}: ${shortened(text, 60)}`]],
    }
  }
}

function checkedItems(media: MediaFact, items: readonly unknown[]): ReadBody {
  const wrong = items.map((item) => checked(media, item)).find((one) => one.problems.length > 0)
  return { value: items, problems: wrong?.problems ?? [] }
}

function checked(media: MediaFact, value: unknown): ReadBody {
  const issues: Issue[] = []
  media.check?.(value, issues)
  const first = issues[0]
  if (first === undefined) return { value, problems: [] }
  const more = issues.length === 1 ? '' : ` (and ${issues.length - 1} more)`
  return { value, problems: [['response-body', `body${first.pointer} ${first.message}${more}`]] }
}

/** The value of a body that is JSON though nothing says that it must be. */
function looseValue({ headers, body }: Answer, { parse }: AnswerRules): unknown {
  if (!/\bjson\b/u.test(headers.get('content-type') ?? '')) return undefined
  try {
    return parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * The declared media type that covers a content type: itself before `type/*` before everything. Of
 * several, the one with most parameters, all of which came.
 */
export function mediaOf(media: readonly MediaFact[], contentType: string): MediaFact | undefined {
  const [name = '', ...given] = mediaParts(contentType)
  const covering = [name, name.replace(/\/.*/, '/*'), '*/*']
    .map((range) => media.filter(({ mediaType }) => mediaParts(mediaType)[0] === range))
    .find((same) => same.length > 0)
  const fitting = covering?.filter(({ mediaType }) =>
    mediaParts(mediaType)
      .slice(1)
      .every((parameter) => given.includes(parameter)),
  )
  const [best] = (fitting ?? []).toSorted(
    (a, b) => mediaParts(b.mediaType).length - mediaParts(a.mediaType).length,
  )
  return best ?? covering?.[0]
}

/** The type itself, then its parameters. */
function mediaParts(mediaType: string): readonly string[] {
  return mediaType.toLowerCase().replaceAll(/[\s"]/gu, '').split(';')
}

/** A text of at most `length` characters. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
