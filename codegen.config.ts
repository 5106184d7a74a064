// What `ledgerwright generate` makes of spec/ in this checkout.
import { defineConfig } from './codegen/config.ts'
import { reactQueryHooks } from './codegen/hooks/react-query.ts'

export const config = defineConfig({
  interfaces: [
    { spec: 'spec/ledger.yaml' },
    { spec: 'spec/validator.yaml' },
    { spec: 'spec/scan.yaml' },
    { spec: 'spec/registry.yaml' },
  ],
  out: 'generated',
  errors: 'spec/errors.yaml',
  wireNames: 'spec/wire-names.yaml',
  contracts: 'spec/contracts.yaml',
  strict: true,
  plugins: [reactQueryHooks({ interfaces: ['ledger', 'validator', 'scan'] })],
})
