import type { NewReport } from '@hither/contract/reports.ts'
import { createReport } from '@hither/contract/runtime/moderation.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

export function useReport() {
  return useMutation({ mutationFn: (report: NewReport) => call(createReport, { body: report }) })
}
