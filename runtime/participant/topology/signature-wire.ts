// Signatures as requests carry them. docs/ledger-rules.md, "Topology"
import type { Signature } from '../../../generated/ledger/types.gen.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidField } from '../../errors/errors.ts'
import type { KeySignature, SignatureAlgorithm, SignatureFormat } from './signing-key.ts'
import { texts } from './texts.ts'

/** INVALID_FIELD where a part of the signature says nothing. */
export function signatureError(signature: Signature): LedgerError | undefined {
  if (signature.format === 'SIGNATURE_FORMAT_UNSPECIFIED')
    return invalidField('format', texts.unspecified)
  if (signature.signingAlgorithmSpec === 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED') {
    return invalidField('signing_algorithm_spec', texts.unspecified)
  }
  if (signature.signature === '') return invalidField('signature', texts.empty)
  return signature.signedBy === '' ? invalidField('signed_by', texts.empty) : undefined
}

/** The signature with its names as topology has them; nothing is verified. */
export function readSignature({
  format,
  signature,
  signedBy,
  signingAlgorithmSpec,
}: Signature): KeySignature {
  return {
    format: formats[format],
    algorithm: algorithms[signingAlgorithmSpec],
    bytes: Buffer.from(signature, 'base64'),
    signedBy,
  }
}

/** Unspecified ones were refused before; they stand for what verifies nothing. */
const formats: Readonly<Record<Signature['format'], SignatureFormat>> = {
  SIGNATURE_FORMAT_UNSPECIFIED: 'SYMBOLIC',
  SIGNATURE_FORMAT_RAW: 'RAW',
  SIGNATURE_FORMAT_DER: 'DER',
  SIGNATURE_FORMAT_CONCAT: 'CONCAT',
  SIGNATURE_FORMAT_SYMBOLIC: 'SYMBOLIC',
}

const algorithms: Readonly<Record<Signature['signingAlgorithmSpec'], SignatureAlgorithm>> = {
  SIGNING_ALGORITHM_SPEC_UNSPECIFIED: 'ED25519',
  SIGNING_ALGORITHM_SPEC_ED25519: 'ED25519',
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256: 'EC_DSA_SHA_256',
  SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384: 'EC_DSA_SHA_384',
}
