// What a deployer may set of the wallet, under `extensions.wallet-ui`. docs/configuration.md
import { z } from 'zod'

/** An OpenID Connect provider whose users may log in: authorisation code with PKCE, in the page. */
const provider = z.strictObject({
  /** Shown on the button. */
  name: z.string().min(1).default('your organisation'),
  /** The issuer; its discovery document is fetched by the page. */
  authority: z.url({ protocol: /^https?$/u }),
  clientId: z.string().min(1),
  scope: z.string().min(1).default('openid'),
  /** Asked for as the parameter `audience`, where the provider wants it. */
  audience: z.string().min(1).optional(),
  /** The provider's token that is sent to the interfaces. */
  token: z.enum(['access', 'id']).default('access'),
})

export const options = z.strictObject({
  oidc: provider.optional(),
  /** Short name of the coin beside amounts, where the network does not say. */
  coin: z.string().min(1).max(10).default('CC'),
})

export type Options = z.output<typeof options>
