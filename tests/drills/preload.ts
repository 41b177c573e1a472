/** What a process and its children need in their environment to load files, written in TypeScript, before their own. */
export const preloading = (...files: readonly string[]): Record<string, string> => ({
  NODE_OPTIONS: ['tsx', ...files].map((file) => `--import ${file}`).join(' '),
})
