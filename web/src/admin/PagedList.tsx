import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Key, ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'

interface Props<Row> {
  label: string
  rows: UseInfiniteQueryResult<InfiniteData<Row[]>>
  empty: string
  keyOf: (row: Row) => Key
  renderRow: (row: Row) => ReactNode
}

/** A list in any of its states, with a button that loads the next page. */
export function PagedList<Row>({ label, rows, empty, keyOf, renderRow }: Props<Row>) {
  if (rows.data === undefined) {
    if (!rows.isError) return <Skeleton variant="rounded" height={120} />
    return (
      <ErrorAlert
        message={messageOf(rows.error, t('moderation.loadFailed'))}
        onRetry={() => void rows.refetch()}
        isRetrying={rows.isFetching}
      />
    )
  }
  const all = rows.data.pages.flat()
  if (all.length === 0) {
    return (
      <Typography color="textSecondary" sx={{ textAlign: 'center', py: 6 }}>
        {empty}
      </Typography>
    )
  }
  return (
    <>
      <Stack component="ul" aria-label={label} aria-busy={rows.isFetching} spacing={1.5} sx={{ m: 0, p: 0 }}>
        {all.map((row) => (
          <Box component="li" key={keyOf(row)} sx={{ listStyle: 'none' }}>
            {renderRow(row)}
          </Box>
        ))}
      </Stack>
      {rows.hasNextPage && (
        <Button fullWidth sx={{ mt: 2 }} loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          {t('admin.more')}
        </Button>
      )}
    </>
  )
}
