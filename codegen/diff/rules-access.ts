// Rules for who may call and for what is promised over time.
import { rules } from '../rules/rule.ts'
import { A, B, E, N, fixed } from './rule.ts'

export const SECURITY_RULES = {
  ...rules(fixed(B, N), {
    'security-required': 'credentials are needed now: {after}',
    'security-alternative-removed': '{name} is no longer accepted',
    'security-scope-added': '{name} needs the scope {after}',
  }),
  ...rules(fixed(A, A), {
    'security-optional': 'credentials are no longer needed, were {before}',
    'security-alternative-added': '{name} is accepted too',
    'security-scope-removed': '{name} no longer needs the scope {before}',
    'security-scheme-added': 'the security scheme {name} is new',
  }),
  ...rules(fixed(E, E), {
    'security-rewritten': 'the security requirements are written in another way',
    'security-scheme-description-changed':
      'the description of the security scheme {name} is {after}, was {before}',
  }),
  ...rules(fixed(B, B), {
    'security-scheme-removed': 'the security scheme {name} is gone',
    'security-scheme-changed': 'the security scheme {name} is {after}, was {before}',
  }),
}

export const ACCESS_RULES = {
  ...rules(fixed(B, N), {
    'access-added': 'x-access is {after}, there was none',
    'access-token-narrowed': 'the token is {after}, was {before}',
    'access-closable-added': 'a deployment may close it as {after}',
    'access-closable-changed': 'a deployment closes it as {after}, was {before}',
    'access-restricted': 'only {after} may call it, any authenticated user could',
    'access-alternative-removed': '{name} may no longer call it',
    'access-condition-added': '{name} must hold besides',
    'access-provider-changed': 'the identity provider is that of {after}, was {before}',
    'access-elevated-added': 'some kinds need more rights: {after}',
    'access-elevated-kind-added': 'the kind {name} needs more rights',
    'access-elevated-changed': '{name} of the elevated kinds is {after}, was {before}',
    'access-changed': '{name} of x-access is {after}, was {before}',
  }),
  ...rules(fixed(A, A), {
    'access-removed': 'there is no x-access any more, was {before}',
    'access-token-widened': 'the token is {after}, was {before}',
    'access-closable-removed': 'a deployment may no longer close it as {before}',
    'access-opened': 'any authenticated user may call it, only {before} could',
    'access-alternative-added': '{name} may call it too',
    'access-condition-removed': '{name} need no longer hold',
    'access-elevated-removed': 'no kinds need more rights, was {before}',
    'access-elevated-kind-removed': 'the kind {name} needs no more rights',
  }),
  ...rules(fixed(E, E), {
    'access-rewritten': 'x-access is written in another way',
  }),
}

export const VERSION_RULES = {
  ...rules(fixed(B, N), {
    'stability-decreased': 'stability is {after}, was {before}',
    'removal-sooner': '{name} is {after} already, was {before}',
    'body-limit-lowered': 'the body may have {after} bytes, was {before}',
    'body-limit-added': "the body may have {after} bytes, was the host's default",
    'body-limit-removed': "the body may have the host's default of bytes, was {before}",
  }),
  ...rules(fixed(A, N), {
    'stability-increased': 'stability is {after}, was {before}',
    'stability-deprecated': 'stability is deprecated, was {before}',
    'stability-undeprecated': 'stability is {after}, was deprecated',
    'stability-changed': 'stability is {after}, was {before}',
    'removal-later': '{name} is {after} only, was {before}',
  }),
  ...rules(fixed(A, A), {
    'removal-announced': '{name} is announced for {after}',
    'removal-withdrawn': '{name} is no longer announced, was {before}',
    'body-limit-raised': 'the body may have {after} bytes, was {before}',
  }),
  ...rules(fixed(E, E), {
    'versions-changed': '{name} of x-versions is {after}, was {before}',
  }),
}
