// Log-in at an OpenID Connect provider, from the button to the balance, with the server checking
// the provider's tokens by its key set.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Service } from '../support/service.ts'
import { openWindow, skip, startWallet } from './browser-kit.ts'
import type { Window } from './browser-kit.ts'
import { startProvider } from './oidc-provider.ts'
import type { OidcProvider } from './oidc-provider.ts'

const [CLIENT, AUDIENCE] = ['wallet', 'https://ledger.example']
const BUTTON = { name: 'Log in with Example Bank' }

describe('log-in at a provider', { skip }, () => {
  let provider: OidcProvider
  let service: Service
  let window: Window

  before(async () => {
    provider = await startProvider(CLIENT, AUDIENCE)
    const { issuer } = provider
    service = await startWallet({
      seeded: true,
      config: {
        auth: [
          {
            use: 'jwt',
            issuers: [{ issuer, jwksUrl: `${issuer}/keys`, audience: AUDIENCE }],
            keys: { allowPrivateAddresses: ['127.0.0.0/8'] },
          },
        ],
        extensions: {
          'wallet-ui': { oidc: { name: 'Example Bank', authority: issuer, clientId: CLIENT } },
        },
      },
    })
    window = await openWindow(service.url)
  })

  after(async () => {
    await window.close()
    await service.stop()
    await provider.stop()
  })

  test('the policy lets the page speak to this provider and to nobody else', async () => {
    const policy =
      (await fetch(`${service.url}/wallet`)).headers.get('content-security-policy') ?? ''
    const connect = policy.split('; ').find((directive) => directive.startsWith('connect-src'))
    assert.equal(connect, `connect-src 'self' ${provider.issuer}`)
  })

  test('a provider that refuses, and a state that nobody asked for, are said in words', async () => {
    const { page } = window
    provider.mood = 'refuse'
    await page.getByRole('button', BUTTON).click()
    await page.getByText('The log-in of Example Bank refused: Alice is on leave').waitFor()
    assert.equal(page.url(), `${service.url}/wallet`)
    provider.mood = 'mix-up'
    await page.getByRole('button', BUTTON).click()
    await page
      .getByText('That log-in was not begun in this window, or has ended already.')
      .waitFor()
    assert.equal(provider.traded(), 0)
  })

  test('a provider that does not answer is said so', async () => {
    const { page } = window
    await page.reload()
    await page.route(`${provider.issuer}/**`, (route) => route.abort())
    await page.getByRole('button', BUTTON).click()
    await page.getByText('The log-in of Example Bank does not answer.').waitFor()
    await page.unroute(`${provider.issuer}/**`)
  })

  test('from the button to the page that was wanted, the balance, and when the token ends', async () => {
    const { page, complaints } = window
    provider.mood = 'welcome'
    await page.goto(`${service.url}/wallet/settings`)
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    assert.equal(page.url(), `${service.url}/wallet/settings`)
    assert.equal(provider.traded(), 1)
    assert.match(await page.locator('header').innerText(), /alice/u)
    await page.getByText(/It expires in (29|30) min/u).waitFor()
    await page.getByText(provider.issuer).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Development' }).count(), 0)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page
      .getByText(/20,000\.00/u)
      .first()
      .waitFor()
    const foreign = complaints.filter((complaint) => complaint.startsWith('foreign request'))
    assert.ok(
      foreign.every((complaint) => complaint.includes(provider.issuer)),
      foreign.join('\n'),
    )
  })

  test('somebody whom the ledger does not know yet is welcomed, and has a wallet by a click', async () => {
    const { page } = window
    await page.getByRole('button', { name: 'Log out' }).click()
    provider.user = 'newhere'
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('button', { name: 'Set up my wallet' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.match(await page.locator('header').innerText(), /newhere::1220/u)
  })
})

test(
  'in production, a newcomer from the provider has a wallet without tools for development',
  {
    skip,
  },
  async () => {
    const provider = await startProvider(CLIENT, AUDIENCE)
    const { issuer, publicKey } = provider
    provider.user = 'newhere'
    const { url, stop } = await startWallet({
      config: {
        profile: 'production',
        auth: [{ use: 'jwt', issuers: [{ issuer, publicKey, audience: AUDIENCE }] }],
        extensions: {
          'wallet-ui': { oidc: { name: 'Example Bank', authority: issuer, clientId: CLIENT } },
        },
      },
    })
    const { page, close } = await openWindow(url)
    assert.equal(await page.getByText('for development').count(), 0)
    await page.getByRole('button', BUTTON).click()
    await page.getByRole('button', { name: 'Set up my wallet' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByText('0.00 CC').first().waitFor()
    for (const name of ['Development', 'Get test coin'])
      assert.equal(await page.getByRole('link', { name }).count(), 0, name)
    const { status } = await fetch(`${url}/wallet/development/token?user=newhere`)
    assert.equal(status, 404)
    await close()
    await stop()
    await provider.stop()
  },
)
