import { createReport, type NewReport } from '@hither/contract/moderation.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/transport.ts'

export function useReport() {
  return useMutation({ mutationFn: (report: NewReport) => call(createReport, { body: report }) })
}
