// Whether the document admits a request, asked of the printed decoders about what really goes over
// the wire: a number where a text is wanted, for example, is no flaw any more once it stands in a
// query.
import { mediaOf } from './answer-checks.ts'
import type {
  Issue,
  MediaFact,
  OperationFacts,
  RawParameters,
  RequestCase,
  WireRequest,
  WireTools,
} from './facts.ts'

/** The document's objections to a request; none if it admits it. */
export function objections(
  operation: OperationFacts,
  request: RequestCase,
  wire: WireRequest,
  tools: WireTools,
): readonly Issue[] {
  const issues: Issue[] = []
  operation.decode(rawParameters(operation, wire), issues)
  bodyIssues(operation, request, tools, issues)
  return issues
}

/**
 * What the document has against the fields of a form or the parts of a multipart body as they are
 * written: what was drawn with a flaw may have none as text.
 */
export async function fieldObjections(
  operation: OperationFacts,
  request: RequestCase,
  wire: WireRequest,
): Promise<readonly Issue[]> {
  const issues: Issue[] = []
  const media = mediaOfBody(operation, request)
  if (media?.read === undefined || wire.body === undefined) return issues
  const value = await media.read(wire, issues)
  if (issues.length === 0) media.check?.(value, issues)
  return issues
}

/** A request's parameters as a server finds them. */
function rawParameters({ path }: OperationFacts, { target, headers }: WireRequest): RawParameters {
  const [place = '', ...query] = target.split('?')
  const values = patternOf(path).exec(place)?.slice(1) ?? []
  const byName = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return {
    path: values.map(decoded),
    query: query.join('?'),
    header: (name) => byName.get(name.toLowerCase()),
  }
}

const PATTERNS = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = PATTERNS.get(path)
  if (known !== undefined) return known
  const text = path
    .replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`)
    .replaceAll(/\{[^{}]+\}/gu, '([^/]*)')
  const pattern = new RegExp(`${text}$`, 'u')
  PATTERNS.set(path, pattern)
  return pattern
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function mediaOfBody({ body }: OperationFacts, request: RequestCase): MediaFact | undefined {
  const given = request.body
  return given === undefined ? undefined : mediaOf(body?.media ?? [], given.mediaType)
}

function bodyIssues(
  operation: OperationFacts,
  request: RequestCase,
  tools: WireTools,
  issues: Issue[],
): void {
  const given = request.body
  // Nothing sent as a body is no body.
  if (given === undefined || given.raw === '') {
    if (operation.body?.required === true)
      issues.push({ in: 'body', pointer: '', keyword: 'required', message: 'is required' })
    return
  }
  const media = mediaOfBody(operation, request)
  if (media?.kind !== 'json') return
  try {
    media.check?.(tools.parse(given.raw ?? tools.stringify(given.value)), issues)
  } catch {
    issues.push({ in: 'body', pointer: '', keyword: 'syntax', message: 'is not JSON' })
  }
}
