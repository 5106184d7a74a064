// The package ships no types. It is a CommonJS module with a member `default`.
declare module 'textlint-rule-prh' {
  import type { TextlintKernelRule } from '@textlint/kernel'

  const rule: { readonly default: TextlintKernelRule['rule'] }
  export default rule
}
