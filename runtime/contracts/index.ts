// All of this folder, and the templates bound for the engine.
import { templateTypes } from '../../generated/contracts.gen.ts'
import { bindTemplates } from '../engine/index.ts'
import * as code from './code.ts'

export * from './code.ts'

/** The engine's templates; a template or a choice without code does not compile. */
export const allTemplates = bindTemplates(templateTypes, code, {
  WalletAppInstall: code.installChoices,
})
