// A small OpenID Connect provider on loopback: it lets in at once whom the test names, and holds
// the wallet to PKCE.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'

export interface OidcProvider {
  readonly issuer: string
  /** The key in PEM, for a server that does not fetch keys by http. */
  readonly publicKey: string
  /** The user at the provider's log-in page. */
  user: string
  /**
   * What the provider does with the next person: lets in, refuses, or answers with a state that
   * nobody asked for.
   */
  mood: 'welcome' | 'refuse' | 'mix-up'
  /** Tokens were traded for codes so many times. */
  readonly traded: () => number
  stop(): Promise<void>
}

interface Grant {
  readonly user: string
  readonly challenge: string
  readonly redirectUri: string
}

/** Starts one whose tokens are for an audience. */
export async function startProvider(clientId: string, audience: string): Promise<OidcProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }
  const grants = new Map<string, Grant>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  let traded = 0
  const provider: OidcProvider = {
    issuer,
    publicKey: await exportSPKI(publicKey),
    user: 'alice',
    mood: 'welcome',
    traded: () => traded,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const token = (user: string, to: string): Promise<string> =>
    new SignJWT({ preferred_username: user })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setSubject(user)
      .setAudience(to)
      .setIssuedAt()
      .setExpirationTime('30m')
      .sign(privateKey)

  const authorize = (asked: URLSearchParams): string => {
    const back = new URL(asked.get('redirect_uri') ?? issuer)
    const code = randomUUID()
    grants.set(code, {
      user: provider.user,
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: String(back),
    })
    back.searchParams.set(
      'state',
      provider.mood === 'mix-up' ? randomUUID() : (asked.get('state') ?? ''),
    )
    if (provider.mood === 'refuse') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'Alice is on leave')
    } else back.searchParams.set('code', code)
    return String(back)
  }

  const trade = async (form: URLSearchParams): Promise<object | undefined> => {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const isRight =
      createHash('sha256').update(verifier).digest('base64url') === grant?.challenge &&
      verifier.length >= 43
    if (
      grant === undefined ||
      !isRight ||
      grant.redirectUri !== form.get('redirect_uri') ||
      form.get('client_id') !== clientId
    )
      return undefined
    traded += 1
    const [access, id] = await Promise.all([
      token(grant.user, audience),
      token(grant.user, clientId),
    ])
    return {
      access_token: access,
      id_token: id,
      token_type: 'Bearer',
      expires_in: 1800,
      scope: 'openid',
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (pathname === '/authorize')
      return void response.writeHead(302, { location: authorize(searchParams) }).end()
    const body =
      pathname === '/token'
        ? await trade(new URLSearchParams(await text(request)))
        : documents[pathname]
    response
      .writeHead(body === undefined ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? { error: 'invalid_grant' }))
  }

  const documents: Readonly<Record<string, object>> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    },
    '/keys': keys,
  }
  return provider
}
