import type { NewReport } from '@hither/contract/reports.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

export function useReport() {
  return useMutation({ mutationFn: (report: NewReport) => call('POST /reports', { body: report }) })
}
