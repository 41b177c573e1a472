import { logContract } from './log.contract.ts'
import { openTarget, REAL_LOG } from './log-target.ts'

logContract(REAL_LOG ? 'a real EventStoreDB' : 'the embedded log', openTarget)
