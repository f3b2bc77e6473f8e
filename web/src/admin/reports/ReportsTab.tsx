import Stack from '@mui/material/Stack'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { ToggleChoice } from '../../ui/ToggleChoice.tsx'
import { reportsQuery } from '../admin.api.ts'
import { PagedList } from '../PagedList.tsx'
import { ReportCard } from './ReportCard.tsx'

export function ReportsTab() {
  const [state, setState] = useState<'open' | 'handled'>('open')
  const reports = useInfiniteQuery(reportsQuery(state))
  return (
    <Stack spacing={2}>
      <ToggleChoice
        label={t('admin.which')}
        options={[
          ['open', t('admin.open')],
          ['handled', t('admin.handled')],
        ]}
        value={state}
        onChange={setState}
      />
      <PagedList
        label={t('admin.reports')}
        rows={reports}
        empty={state === 'open' ? t('admin.noOpen') : t('admin.noHandled')}
        keyOf={({ id }) => id}
        renderRow={(report) => <ReportCard report={report} />}
      />
    </Stack>
  )
}
