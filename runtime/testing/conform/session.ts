// One run against one server: sends requests, judges answers, learns identifiers from them and
// gathers violations.
import type { InterfaceFacts, OperationFacts, RequestCase, WireRequest } from './facts.ts'
import { fieldObjections, objections } from './admitted.ts'
import { examine, shortened } from './answer-checks.ts'
import type { AnswerRules } from './answer-checks.ts'
import { asImpostor, isShutOut, withToken } from './authority.ts'
import { isExample } from './example-answer.ts'
import { expectationComplaints, isLeftToHttp } from './expectation.ts'
import { reasonAgainst } from './draws.ts'
import type { Expectation } from './expectation.ts'
import { isSafe } from './fill.ts'
import { Learner } from './learner.ts'
import type { Probe, Target } from './probe.ts'
import type { ConformOptions } from './options.ts'
import { isIdentity } from './pool.ts'
import { NoAnswerError, createSender } from './sender.ts'
import type { Answer, Sender } from './sender.ts'
import { pathKey } from './slots.ts'
import { violationKey } from './violation.ts'
import type { Complaint, Violation } from './violation.ts'

/** Counts of one operation. */
export interface Tally {
  requests: number
  accepted: number
  refused: number
  failed: number
  /** Answers that were marked as examples. */
  examples: number
}

/**
 * How a request came about: what was expected, if it may be sent again to see, and what was sent
 * before it.
 */
interface RequestOrigin {
  readonly expectation?: Expectation
  readonly before?: readonly WireRequest[]
}

const ANSWER_LENGTH = 400
/** Statuses for callers without credentials. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403])
/** Servers need not take longer ones. RFC 9110 §4.1 */
const MAX_TARGET = 8_000

export class Session {
  readonly options: ConformOptions
  readonly targets: readonly Target[]
  /** Methods by path template. */
  readonly declared: readonly { readonly template: string; readonly method: string }[]
  readonly learner: Learner
  readonly violations: Violation[] = []
  readonly tallies = new Map<string, Tally>()
  readonly #sender: Sender
  readonly #rules: AnswerRules
  readonly #known = new Set<string>()
  readonly #deadline: number
  #isEnough = false

  constructor(options: ConformOptions) {
    const { url, parallel = 8, timeoutMs = 30_000, limitMs } = options
    this.options = options
    this.targets = options.interfaces.flatMap((facts) =>
      facts.operations.map((operation) => {
        return { facts, operation, template: prefix(options, facts) + operation.path }
      }),
    )
    this.declared = options.interfaces.flatMap((facts) =>
      facts.operations.map(({ path, method }) => {
        return { template: prefix(options, facts) + path, method }
      }),
    )
    this.learner = new Learner(this.targets)
    this.#sender = createSender({ url, connections: parallel * 2, timeoutMs })
    this.#rules = {
      maxResponseMs: options.maxResponseMs,
      isAllowed: (operationId, status) => options.allow?.has(`${operationId}:${status}`) === true,
      parse: options.tools.parse,
    }
    this.#deadline = limitMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + limitMs
  }

  /** No more requests: time is up, or the first violation was enough. */
  get isOver(): boolean {
    return performance.now() > this.#deadline || this.#isEnough
  }

  /** The operations that the run is about. */
  get selected(): readonly Target[] {
    return this.targets.filter((target) => this.isSelected(target))
  }

  isSelected({ operation }: Target): boolean {
    const { isReadOnly } = this.options
    const { method } = operation
    if (isReadOnly === true && method !== 'GET' && method !== 'HEAD') return false
    return this.isChosen(operation) && reasonAgainst(operation) === undefined
  }

  /** True for operations that `only` and `skip` leave, whether they can be asked or not. */
  isChosen({ operationId }: OperationFacts): boolean {
    const { only, skip } = this.options
    return only?.has(operationId) !== false && skip?.has(operationId) !== true
  }

  /** True for operations that may be called to find or make what others need. */
  isUsable({ operation }: Target): boolean {
    return (
      (this.options.isReadOnly !== true || isSafe(operation.method)) &&
      this.options.skip?.has(operation.operationId) !== true &&
      reasonAgainst(operation) === undefined
    )
  }

  /**
   * Writes a request of an operation with its token; undefined where its values cannot stand on the
   * wire.
   */
  async encode(
    target: Target,
    request: RequestCase,
    expectation: Expectation = { kind: 'any' },
  ): Promise<WireRequest | undefined> {
    const { facts, operation } = target
    const { tools, headers = [], token } = this.options
    const bare = await tools.encode(operation, request).catch(() => undefined)
    if (bare === undefined) return undefined
    if (bare.target.length > MAX_TARGET) return undefined
    const placed = {
      ...bare,
      target: prefix(this.options, facts) + bare.target,
      headers: [...headers, ...bare.headers],
    }
    return expectation.kind === 'impostor'
      ? asImpostor(facts, operation, withoutAuthority(placed), expectation.impostor, token)
      : withToken(facts, operation, placed, token)
  }

  /** True where the document admits what a request is on the wire. */
  isAdmitted({ operation }: Target, request: RequestCase, wire: WireRequest): boolean {
    return objections(operation, request, wire, this.options.tools).length === 0
  }

  /**
   * Sends a request of an operation and judges the answer; undefined where it is not what it should
   * be once it is written.
   */
  async probe(
    target: Target,
    request: RequestCase,
    expectation: Expectation,
  ): Promise<Probe | undefined> {
    const wire = await this.encode(target, request, expectation)
    if (wire === undefined) return undefined
    const isAdmitted = this.isAdmitted(target, request, wire)
    if (
      expectation.kind === 'flawed'
        ? isAdmitted &&
          !isBroken(request) &&
          (await fieldObjections(target.operation, request, wire)).length === 0
        : expectation.kind === 'valid' && !isAdmitted
    )
      return undefined
    if (!isSafe(target.operation.method) && !(await this.#mayTouch(target, request)))
      return undefined
    const probe = await this.exchange(target, request, wire, expectation)
    return { ...probe, made: this.learner.learn(probe) }
  }

  /**
   * False where the address names something that is there and that this run has not made: whoever
   * can be asked is asked first.
   */
  async #mayTouch({ template, operation }: Target, { path }: RequestCase): Promise<boolean> {
    for (const { name } of operation.parameters.filter((parameter) => parameter.in === 'path')) {
      const value = path[name]
      const end = template.indexOf(`{${name}}`) + name.length + 2
      const reader = this.targets.find(
        (one) => one.template === template.slice(0, end) && one.operation.method === 'GET',
      )
      if (!isIdentity(value) || reader === undefined) continue
      const key = pathKey(operation, name)
      if (this.learner.pool.isMade(key, value)) continue
      if (this.learner.pool.isStrange(key, value) || (await this.#isThere(reader, path))) {
        this.learner.pool.see(key, value)
        return false
      }
    }
    return true
  }

  async #isThere(reader: Target, path: RequestCase['path']): Promise<boolean> {
    const own = Object.entries(path).filter(([name]) => reader.template.includes(`{${name}}`))
    const wire = await this.encode(reader, {
      path: Object.fromEntries(own),
      query: {},
      headers: {},
      cookies: {},
    })
    const answer = wire === undefined ? undefined : await this.send(wire)
    return (
      answer !== undefined &&
      (answer instanceof NoAnswerError || (answer.status < 300 && !isExample(answer)))
    )
  }

  /** Sends what is written already and judges the answer. */
  async exchange(
    target: Target,
    request: RequestCase,
    wire: WireRequest,
    expectation: Expectation,
  ): Promise<Probe> {
    const { operation, facts } = target
    const tally = this.tally(operation.operationId)
    tally.requests += 1
    const answer = await this.send(wire)
    if (answer instanceof NoAnswerError) {
      tally.failed += 1
      return {
        target,
        request,
        wire,
        answer: undefined,
        value: undefined,
        complaints: [silence(answer)],
        made: [],
      }
    }
    tally[answer.status >= 500 ? 'failed' : answer.status >= 400 ? 'refused' : 'accepted'] += 1
    if (isExample(answer)) tally.examples += 1
    const { value, complaints } = examine(operation, answer, this.#rules)
    const own = this.#rules.isAllowed(operation.operationId, answer.status)
      ? []
      : expectationComplaints(expectation, operation, answer)
    const isRefused = REFUSALS.has(answer.status) && isShutOut(operation, facts.securitySchemes)
    const isLeft = isRefused || isLeftToHttp(expectation, operation, answer.status)
    const general = complaints.filter(({ check }) => check !== 'status' || !isLeft)
    return { target, request, wire, answer, value, complaints: [...own, ...general], made: [] }
  }

  /** Sends a request of no operation. Rejects where the server is not there at all. */
  async send(wire: WireRequest): Promise<Answer | NoAnswerError> {
    try {
      return await this.#sender.send(wire)
    } catch (error) {
      if (error instanceof NoAnswerError && error.reason !== 'refused') return error
      throw error
    }
  }

  tally(operationId: string): Tally {
    const known = this.tallies.get(operationId)
    if (known !== undefined) return known
    const fresh = { requests: 0, accepted: 0, refused: 0, failed: 0, examples: 0 }
    this.tallies.set(operationId, fresh)
    return fresh
  }

  /**
   * True where this has been found already, or belongs to an operation that the run is not about.
   */
  isKnown(target: Target, complaint: Complaint): boolean {
    return (
      !this.isSelected(target) ||
      this.#known.has(violationKey(target.operation.operationId, complaint))
    )
  }

  /** Notes everything that is wrong with an answer; `before` are the requests that led to it. */
  async report(
    probe: Probe,
    expectation: Expectation,
    before: readonly WireRequest[] = [],
  ): Promise<void> {
    for (const complaint of probe.complaints)
      await this.reportOne(probe, complaint, { expectation, before })
  }

  /**
   * Notes one complaint, unless it is known. Sends the request once more to say whether it repeats.
   */
  async reportOne(
    probe: Probe,
    complaint: Complaint,
    { expectation, before = [] }: RequestOrigin = {},
  ): Promise<void> {
    const {
      target: { facts, operation },
      wire,
      answer,
    } = probe
    if (this.isKnown(probe.target, complaint)) return
    this.#known.add(violationKey(operation.operationId, complaint))
    const violation = {
      ...complaint,
      interface: facts.name,
      operationId: operation.operationId,
      method: wire.method,
      path: operation.path,
      requests: [...before, wire],
      answer: shortened(answer?.body.toString('utf8') ?? '', ANSWER_LENGTH),
      seed: this.options.seed,
      isRepeatable:
        expectation === undefined || (await this.#repeats(probe, complaint, expectation)),
    }
    this.violations.push(violation)
    this.#isEnough ||= this.options.isEnough?.(violation) === true
  }

  async #repeats(
    { target, request, wire }: Probe,
    { check, status }: Complaint,
    expectation: Expectation,
  ): Promise<boolean> {
    const again = await this.exchange(target, request, wire, expectation)
    return again.complaints.some(
      (complaint) => complaint.check === check && complaint.status === status,
    )
  }

  close(): void {
    this.#sender.close()
  }
}

/**
 * The body is sent as something that no check looks at: another media type, or a text that is none.
 */
function isBroken({ body }: RequestCase): boolean {
  return body?.raw !== undefined && body.raw !== ''
}

function prefix({ url }: ConformOptions, { mount }: InterfaceFacts): string {
  return url.pathname.replace(/\/$/u, '') + mount
}

function withoutAuthority(request: WireRequest): WireRequest {
  return {
    ...request,
    headers: request.headers.filter(([name]) => name.toLowerCase() !== 'authorization'),
  }
}

function silence(error: NoAnswerError): Complaint {
  return {
    check: error.reason === 'timeout' ? 'response-time' : 'not-a-server-error',
    sentence: error.message,
    status: 0,
  }
}
