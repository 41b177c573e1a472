import { FULL, SHORT } from './extent.ts'
import { PARTS } from './parts.ts'

// One part in a process of its own, which sends its figures to its parent as they come.
const [name = '', extent] = process.argv.slice(2)
const part = PARTS[name]
if (!part || !process.send) throw new Error(`"${name}" is measured by npm run bench.`)
await part.measure(extent === 'short' ? SHORT : FULL, (figure) => void process.send?.(figure))
process.exit(0)
