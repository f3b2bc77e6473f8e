import type { Circle } from '@hither/contract/circles.ts'
import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { EmptyDrawing } from '../ui/empty/EmptyDrawing.tsx'
import { EmptyState } from '../ui/empty/EmptyState.tsx'
import { SubpageHeading } from '../ui/SubpageHeading.tsx'
import { useTitle } from '../ui/use-title.ts'
import { CircleDialog } from './CircleDialog.tsx'
import { CircleRow } from './CircleRow.tsx'
import { circlesQuery } from './circles.api.ts'

/** The circles of the user, and the ways to create and change them. */
export function CirclesScreen() {
  useTitle(t('circles.title'))
  const circles = useQuery(circlesQuery())
  const [isOpen, setIsOpen] = useState(false)
  const [edited, setEdited] = useState<Circle | null>(null)
  const isEmpty = circles.data?.length === 0

  function open(circle: Circle | null) {
    setEdited(circle)
    setIsOpen(true)
  }

  return (
    <Column>
      <SubpageHeading title={t('circles.title')} backTo="/friends" backLabel={t('circles.back')} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, mt: 0.5, mb: 2 }}>
        <Typography color="textSecondary" sx={{ flex: '1 1 200px' }}>
          {t('circles.onlyYou')}
        </Typography>
        {circles.data !== undefined && !isEmpty && (
          <Button variant="contained" startIcon={<AddRounded />} onClick={() => open(null)}>
            {t('circles.newCircle')}
          </Button>
        )}
      </Box>
      {list()}
      <CircleDialog open={isOpen} circle={edited} onClose={() => setIsOpen(false)} />
    </Column>
  )

  function list() {
    if (circles.data === undefined) {
      if (!circles.isError) return <Skeleton variant="rounded" height={72} aria-label={t('circles.loading')} />
      return (
        <ErrorAlert
          message={messageOf(circles.error, t('circles.loadFailed'))}
          onRetry={() => void circles.refetch()}
          isRetrying={circles.isFetching}
        />
      )
    }
    if (isEmpty)
      return (
        <EmptyState
          drawing={<EmptyDrawing subject="friends" />}
          text={t('circles.empty')}
          action={{ label: t('circles.newCircle'), onClick: () => open(null) }}
        />
      )
    return (
      <Card>
        <Box component="ul" aria-label={t('circles.title')} sx={{ m: 0, p: 0 }}>
          {circles.data.map((circle) => (
            <CircleRow key={circle.id} circle={circle} onOpen={() => open(circle)} />
          ))}
        </Box>
      </Card>
    )
  }
}
