// The other house's own test run: its auth withstands the attacks of the suite.
import { test } from 'node:test'
import { authSuite } from 'ledgerwright/testing'
import plugin from './index.js'

authSuite({
  test,
  create: ({ issuer, jwksUrl, audience, keys, allowPrivateAddresses, context }) =>
    plugin.setup(context, { issuer, jwksUrl, audience, ...keys, loopback: allowPrivateAddresses }),
  fuzzRuns: 500,
})
