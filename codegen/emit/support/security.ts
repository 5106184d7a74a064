// What hooks of security schemes get and answer. Whoever checks credentials has the same shapes by
// structure.

/** User and password of HTTP basic. */
export interface BasicCredential {
  readonly user: string
  readonly password: string
}

/** A token as it came. */
export interface BearerCredential {
  readonly token: string
}

/** An API key as it came. */
export interface KeyCredential {
  readonly key: string
}

/** The credential of any other scheme: the text after the scheme's name, '' if none came. */
export interface OtherCredential {
  readonly text: string
}

/** The request that a credential came with. */
export interface SecuredRequest {
  readonly operationId: string
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly remoteAddress: string
}

type Answer<T> = T | undefined | Promise<T | undefined>

/** The owner of a credential; undefined if nobody is known by it. */
export type Granted<Principal> = Answer<{ readonly principal: Principal }>

/** The same, with what the credential may be used for. */
export type Scoped<Principal> = Answer<{
  readonly principal: Principal
  readonly scopes: readonly string[]
}>
