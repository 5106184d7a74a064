// The shapes of values of packages' templates, for those who write them in another form than JSON.
import type { Shaped } from '../../../generated/contract-codec.gen.ts'
import type { AnyTemplate } from '../../engine/index.ts'

/** Shapes of a template's values. */
export interface PackageShapes {
  readonly name: string
  readonly payload: Shaped
  /** A choice of its own, or of the interface. */
  choice(
    name: string,
    interfaceId: string | undefined,
  ): { readonly argument: Shaped; readonly result: Shaped } | undefined
}

const SHAPES = new WeakMap<AnyTemplate, PackageShapes>()

/** Keeps the shapes of a template as long as it lives. */
export function keepShapes(template: AnyTemplate, shapes: PackageShapes): void {
  SHAPES.set(template, shapes)
}

/** The shapes of a template of a package; undefined for others. */
export function uploadedShapes(template: AnyTemplate | undefined): PackageShapes | undefined {
  return template && SHAPES.get(template)
}
