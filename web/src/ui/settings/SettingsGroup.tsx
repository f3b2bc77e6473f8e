import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import List from '@mui/material/List'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { UseQueryResult } from '@tanstack/react-query'
import { type Key, type ReactNode, useId, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../ErrorAlert.tsx'

interface Props<Row> {
  title: string
  rows: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching'> & {
    data: Row[] | undefined
    refetch: () => Promise<unknown>
  }
  failure: string
  empty?: string
  keyOf: (row: Row) => Key
  renderRow: (row: Row) => ReactNode
  /** The number of rows that are shown at first; the others are shown on request. */
  firstRows?: number
  /** An action for all rows, for example "Sign out all". */
  action?: ReactNode
}

/** A short list within a settings card in any of its states: loading, failed, empty or with rows. */
export function SettingsGroup<Row>({ title, rows, failure, empty, keyOf, renderRow, firstRows, action }: Props<Row>) {
  const id = useId()
  const [areAllShown, setAreAllShown] = useState(false)
  return (
    <Box component="section" aria-labelledby={id} aria-busy={rows.isFetching} sx={{ pt: 1.75, pb: 1 }}>
      <Typography id={id} component="h3" sx={{ fontWeight: 600, px: 2 }}>
        {title}
      </Typography>
      {body()}
      {!areAllShown && firstRows !== undefined && (rows.data?.length ?? 0) > firstRows && (
        <Button onClick={() => setAreAllShown(true)} sx={{ mx: 0.5, px: 1.5 }}>
          {t('ui.showAll')}
        </Button>
      )}
      {action}
    </Box>
  )

  function body() {
    if (rows.data === undefined) {
      if (!rows.isError) return <Skeleton sx={{ mx: 2, my: 1.5, maxWidth: 260 }} />
      return (
        <Box sx={{ px: 2, py: 1 }}>
          <ErrorAlert
            message={messageOf(rows.error, failure)}
            onRetry={() => void rows.refetch()}
            isRetrying={rows.isFetching}
          />
        </Box>
      )
    }
    if (rows.data.length === 0) {
      return (
        <Typography variant="body2" color="textSecondary" sx={{ px: 2, pt: 0.25, pb: 1 }}>
          {empty}
        </Typography>
      )
    }
    return (
      <List disablePadding aria-labelledby={id}>
        {(areAllShown ? rows.data : rows.data.slice(0, firstRows)).map((row) => (
          <Box
            component="li"
            key={keyOf(row)}
            sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, py: 0.5, minHeight: 56 }}
          >
            {renderRow(row)}
          </Box>
        ))}
      </List>
    )
  }
}
