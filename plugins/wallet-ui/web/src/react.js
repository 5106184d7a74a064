// React as the component library imports it: Preact's own, and the one name that Preact lacks.
// Types are React's, so this is no TypeScript.
import compat from 'preact/compat'

export * from 'preact/compat'
export default compat

/** Shows its children or leaves them out. */
export const Activity = ({ mode, children }) => (mode === 'hidden' ? null : children)
