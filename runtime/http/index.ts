// The public face of the HTTP side.
export { createHttpApp, DEFAULT_LIMITS } from './app.ts'
export { ProblemError } from './body.ts'
export { documentedPresenter } from './documented-presenter.ts'
export { NotWritten } from './not-written.ts'
export { openGuard } from './open-guard.ts'
export { describeIssue, plainPresenter, plainTextPresenter } from './plain-presenter.ts'
export { mountInterface } from './route.ts'
export { securityGuard } from './security-guard.ts'
export type {
  Grant,
  SecuredRequest,
  SecurityHook,
  SecurityOptions,
  SecurityScheme,
} from './security-guard.ts'
export { newTraceparent } from './trace.ts'
export { DECODE_KEYWORDS } from './wire.ts'
export type { HttpApp, HttpOptions, Served } from './app.ts'
export { StreamError } from './context.ts'
export type { Handler, HandlerContext, StreamHandler, StreamReply } from './context.ts'
export type { StreamLimits } from './websocket.ts'
export type { ServerSentEvent } from './events.ts'
export type { HttpLimits, ResponseCheck } from './exchange.ts'
export type { Credentials } from '../host/credentials.ts'
export type { AccessGuard, Decision, Identity } from './guard.ts'
export type { PresentContext, Presented, Presenter, Problem } from './problem.ts'
export type { AddRoutes, MountReport } from './registry.ts'
export type { InterfaceMount, SignedBody, VerifyBody } from './route.ts'
export type { SocketLimits } from './server.ts'
export type * from './wire.ts'
