import { vitePlugin as remix } from '@remix-run/dev'
import { defineConfig } from 'vite'
import remixOptions from './remix.config.js'

export default defineConfig({
  plugins: [remix(remixOptions)],
  esbuild: { target: 'es2022' },
  build: { target: 'es2022' },
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
})
