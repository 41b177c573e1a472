/** Carried by every element that a string of the corpus would make. */
export const MARK = 'data-m'

const RUN = 'hit()'
const M = `${MARK}=1`

/** Ways to make a browser run something, in one element, one attribute or one address. */
const CORES = [
  `<script ${M}>${RUN}</script>`,
  `<script ${M} src=data:,${RUN}></script>`,
  `<img ${M} src=x onerror=${RUN}>`,
  `<img ${M} src=x onerror="${RUN}">`,
  `<img/src=x/onerror=${RUN}/${M}>`,
  `<svg ${M} onload=${RUN}>`,
  `<svg ${M}><script>${RUN}</script>`,
  `<svg ${M}><animate onbegin=${RUN}>`,
  `<body ${M} onload=${RUN}>`,
  `<iframe ${M} src=javascript:${RUN}>`,
  `<iframe ${M} srcdoc="<script>${RUN}</script>">`,
  `<a ${M} href=javascript:${RUN}>x</a>`,
  `<a ${M} href="java\tscript:${RUN}">x</a>`,
  `<form ${M} action=javascript:${RUN}><button>x`,
  `<button ${M} formaction=javascript:${RUN}>x`,
  `<details ${M} open ontoggle=${RUN}>`,
  `<input ${M} autofocus onfocus=${RUN}>`,
  `<video ${M}><source onerror=${RUN}>`,
  `<audio ${M} src=x onerror=${RUN}>`,
  `<object ${M} data=javascript:${RUN}>`,
  `<embed ${M} src=javascript:${RUN}>`,
  `<math ${M}><mtext><img src=x onerror=${RUN}>`,
  `<style ${M}>@import'javascript:${RUN}'</style>`,
  `<link ${M} rel=stylesheet href=data:,*{}>`,
  `<meta ${M} http-equiv=refresh content="0;javascript:${RUN}">`,
  `<base ${M} href=https://evil.example/>`,
  `<template ${M}><img src=x onerror=${RUN}></template>`,
  `<marquee ${M} onstart=${RUN}>x`,
  `<dialog ${M} open onclick=${RUN}>x`,
  `<p ${M} style=animation-name:x onanimationstart=${RUN}>`,
  `javascript:${RUN}`,
  `data:text/html,<script ${M}>${RUN}</script>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `';${RUN};//`,
  `\\u003cimg ${M} src=x onerror=${RUN}\\u003e`,
  `&lt;img ${M} src=x onerror=${RUN}&gt;`,
  `%3Cimg ${M} src=x onerror=${RUN}%3E`,
] as const

/** Ways out of where a string is put: text, attributes, comments, raw text, JSON in a script. */
const BREAKS = [
  (core: string) => core,
  (core: string) => `">${core}`,
  (core: string) => `'>${core}`,
  (core: string) => `-->${core}<!--`,
  (core: string) => `</script>${core}`,
  (core: string) => `</title>${core}`,
  (core: string) => `</textarea>${core}`,
  (core: string) => `</style>${core}`,
  (core: string) => `</noscript>${core}`,
  (core: string) => `<!--${core}-->`,
  (core: string) => `]]>${core}`,
  (core: string) => `"}]);${core}`,
  (core: string) => core.toUpperCase().replace(RUN.toUpperCase(), RUN),
  (core: string) => core.replaceAll('<', '<\u0000').replaceAll('\u0000', ''),
  (core: string) => `\u202e${core}`,
  (core: string) => `\u2028${core}\u2029`,
] as const

/** More than 500 strings, each of which would run `hit()` or leave an element with the mark where text is put unescaped. */
export const CORPUS: readonly string[] = [...new Set(BREAKS.flatMap((out) => CORES.map(out)))]
