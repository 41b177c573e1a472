import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig, type Rollup } from 'vite'
import remixOptions from './remix.config.js'

const STARTS = /\/app\/(root|entry\.client)\.tsx/
/** Shared sheets; those of a folder that few pages need stay together in a file of their own. */
const SHARED_SHEET =
  /\/app\/(?:forms|live|ui)\/(?:(audit|compose|gates|lists|person|social|stage)\/)?(?:.+\/)?[^/]+\.css$/

/** Of many pages, and so small that a file of its own would be larger. */
const SMALL =
  /\/(?:app\/(?:shell\/(?:owner|use-sent-reply)|ui\/use-browser-layout-effect)|domain\/profile\/limits)\.tsx?$/

/** Small, and seldom one without the other. */
const UPLOAD = /\/app\/ui\/(?:media\/upload\.ts|feedback\/progress\.tsx)$/
const CHOICES = /\/(?:domain\/profile\/choices|app\/words\/vibe-label)\.ts$/
const PANES = /\/app\/ui\/panes\/(?:about|panes)\.tsx$/

const isField = (id: string) => id.includes('/app/forms/') && !isKeeping(id)
/** Loaded once a page works. */
const isKeeping = (id: string) => /\/app\/(forms|live|shell)\/kept\//.test(id)

/**
 * Where a module of the browser's build goes: what every page loads is two files, packages and frame; fields are one.
 * Shared sheets go with the frame, so that a page loads few: no script belongs to them.
 */
function chunks(): Rollup.GetManualChunk {
  let everywhere: ReadonlySet<string> | undefined
  return (id, { getModuleIds, getModuleInfo }) => {
    everywhere ??= reached(
      [...getModuleIds()].filter((one) => STARTS.test(one)),
      getModuleInfo,
    )
    if (STARTS.test(id)) return null
    if (isKeeping(id)) return 'keeping'
    if (SMALL.test(id)) return 'shell'
    if (UPLOAD.test(id)) return 'upload'
    if (CHOICES.test(id)) return 'choices'
    if (PANES.test(id)) return 'panes'
    if (everywhere.has(id)) return /^\0|\/node_modules\//.test(id) ? 'vendor' : 'shell'
    const sheet = SHARED_SHEET.exec(id)
    if (sheet) return sheet[1] ?? 'shell'
    if (isField(id)) return id.endsWith('.tsx') ? 'form' : 'shell'
    // What fields use of the shared parts would lie with them, and a page without fields would load them all.
    return id.includes('/app/ui/') && getModuleInfo(id)?.importers.some(isField) ? 'shell' : null
  }
}

/** These modules and all that they import, apart from what they load on demand. */
function reached(starts: readonly string[], moduleOf: Rollup.GetModuleInfo): ReadonlySet<string> {
  const found = new Set(starts)
  for (const id of found) for (const imported of moduleOf(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** Of what nothing uses: no module here relies on a getter that does something, and packages warn developers alone. */
const TREE: Rollup.TreeshakingOptions = {
  propertyReadSideEffects: false,
  manualPureFunctions: [
    'warning',
    'UNSAFE_warning',
    'warnOnce',
    'logDeprecationOnce',
    'UNSAFE_logV6DeprecationWarnings',
  ],
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [remix(remixOptions)],
  esbuild: { target: 'es2022' },
  build: {
    target: 'es2022',
    ...(!isSsrBuild && { rollupOptions: { treeshake: TREE, output: { manualChunks: chunks() } } }),
  },
  optimizeDeps: {
    noDiscovery: true,
    include: [
      'react',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-dom',
      'react-dom/client',
      '@remix-run/react',
    ],
    esbuildOptions: { target: 'es2022' },
  },
  server: { hmr: { overlay: true } },
}))
