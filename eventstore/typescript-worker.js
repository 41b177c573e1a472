// A worker does not take over how its parent reads TypeScript.
import { register } from 'tsx/esm/api'

register()
await import(process.argv[2])
