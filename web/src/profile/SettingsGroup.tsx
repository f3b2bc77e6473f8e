import Box from '@mui/material/Box'
import List from '@mui/material/List'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { type UseQueryResult } from '@tanstack/react-query'
import { type Key, type ReactNode, useId } from 'react'
import { messageOf } from '../api/api-error.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'

interface Props<Row> {
  title: string
  rows: Pick<UseQueryResult<Row[]>, 'data' | 'isError' | 'error' | 'isFetching' | 'refetch'>
  failure: string
  empty?: string
  keyOf: (row: Row) => Key
  renderRow: (row: Row) => ReactNode
  /** What ends all of them. */
  action?: ReactNode
}

/** A short list within a card of settings, in whichever state it is. */
export function SettingsGroup<Row>({ title, rows, failure, empty, keyOf, renderRow, action }: Props<Row>) {
  const id = useId()
  return (
    <Box component="section" aria-labelledby={id} aria-busy={rows.isFetching} sx={{ pt: 1.75, pb: 1 }}>
      <Typography id={id} component="h3" sx={{ fontWeight: 600, px: 2 }}>
        {title}
      </Typography>
      {body()}
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
        {rows.data.map((row) => (
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
