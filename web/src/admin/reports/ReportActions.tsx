import type { Report } from '@hither/contract/reports.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { LoadingButton } from '../../ui/LoadingButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useDeleteReported, useDismissReport } from '../admin.api.ts'
import { SuspendDialog } from '../people/SuspendDialog.tsx'

export function ReportActions({ report }: { report: Report }) {
  const dismissal = useDismissReport()
  const deletion = useDeleteReported()
  const { showError, showNotice } = useSnackbar()
  const [asking, setAsking] = useState<'delete' | 'suspend' | null>(null)
  const { id, user_id: userId, username, outcome } = report
  const canDelete = report.subject !== 'user' && report.subject !== 'guest' && outcome !== 'deleted'
  const canSuspend = userId !== null && !report.is_suspended
  if (outcome !== 'open' && !canDelete && !canSuspend) return null

  async function run(work: Promise<unknown>, done: string) {
    setAsking(null)
    try {
      await work
      showNotice(done)
    } catch (error) {
      showError(messageOf(error, t('moderation.actionFailed')))
    }
  }

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1.5 }}>
      {outcome === 'open' && (
        <LoadingButton
          variant="outlined"
          color="inherit"
          isWorking={dismissal.isPending}
          onClick={() => void run(dismissal.mutateAsync(id), t('admin.dismissed'))}
          sx={{ borderColor: 'divider' }}
        >
          {t('admin.dismiss')}
        </LoadingButton>
      )}
      {canDelete && (
        <Button variant="outlined" color="error" onClick={() => setAsking('delete')}>
          {t('admin.remove')}
        </Button>
      )}
      {canSuspend && (
        <Button variant="outlined" color="error" onClick={() => setAsking('suspend')}>
          {t('admin.suspend')}
        </Button>
      )}
      <ConfirmDialog
        open={asking === 'delete'}
        title={t('admin.removeTitle')}
        text={t('admin.removeText')}
        confirmLabel={t('admin.remove')}
        isWorking={deletion.isPending}
        onConfirm={() => void run(deletion.mutateAsync(id), t('admin.removed'))}
        onClose={() => setAsking(null)}
      />
      {userId !== null && (
        <SuspendDialog
          open={asking === 'suspend'}
          person={{ id: userId, username }}
          reportId={id}
          onClose={() => setAsking(null)}
        />
      )}
    </Box>
  )
}
