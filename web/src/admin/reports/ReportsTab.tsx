import Stack from '@mui/material/Stack'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ToggleChoice } from '../../ui/ToggleChoice.tsx'
import { reportsQuery } from '../admin.api.ts'
import { PagedList } from '../PagedList.tsx'
import { adminStrings as strings } from '../strings.ts'
import { ReportCard } from './ReportCard.tsx'

export function ReportsTab() {
  const [state, setState] = useState<'open' | 'handled'>('open')
  const reports = useInfiniteQuery(reportsQuery(state))
  return (
    <Stack spacing={2}>
      <ToggleChoice
        label={strings.which}
        options={[
          ['open', strings.open],
          ['handled', strings.handled],
        ]}
        value={state}
        onChange={setState}
      />
      <PagedList
        label={strings.reports}
        rows={reports}
        empty={state === 'open' ? strings.noOpen : strings.noHandled}
        keyOf={({ id }) => id}
        renderRow={(report) => <ReportCard report={report} />}
      />
    </Stack>
  )
}
