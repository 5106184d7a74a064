// Builds the wallet into ../page. The component library is written for React; it runs on Preact,
// which is a tenth of the size.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { componentStyles } from './component-styles.ts'
import { preload } from './preload.ts'
import { usedOperations } from './used-operations.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const START = /preact|preload-helper|lib\/(?:load-)?language\.ts|rolldown\/runtime|src\/react\.js/u

export default defineConfig({
  root: here('.'),
  base: '/wallet/',
  logLevel: 'warn',
  plugins: [
    usedOperations(here('src')),
    componentStyles(here('src/component-styles.css')),
    preload('app'),
  ],
  resolve: {
    alias: [
      { find: /^react$/u, replacement: here('src/react.js') },
      { find: /^react-dom$/u, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/u, replacement: 'preact/compat/client' },
      // What React has itself by now, and so does Preact.
      {
        find: /^use-sync-external-store\/shim(?:\/index\.js)?$/u,
        replacement: here('src/react.js'),
      },
      { find: /^react\/jsx-runtime$/u, replacement: 'preact/jsx-runtime' },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir: here('../page'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    sourcemap: false,
    // What is built in may be passed on with its notices.
    license: { fileName: 'licenses.md' },
    // Directives for another kind of framework mean nothing here.
    rollupOptions: {
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
      // What nearly every page needs is one file: it compresses better than fifty. The start has to
      // be apart from it, since texts are looked up in the language that it loads.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', test: START, priority: 2 },
            { name: 'base', minShareCount: 13 },
          ],
        },
      },
    },
  },
})
