import type { NotificationPreferencesPatch } from '@hither/contract/notifications.ts'
import { notificationKinds } from '@hither/contract/runtime/notifications.ts'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Divider from '@mui/material/Divider'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { PreferenceSwitch } from '../../ui/settings/PreferenceSwitch.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { preferencesQuery, useUpdatePreferences } from '../notifications.api.ts'
import { QuietHoursField } from './QuietHoursField.tsx'

/** The settings for all devices of the user. Loads them when it is opened. */
export function NotificationSettingsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{t('notifications.settings.title')}</DialogTitle>
      {/* Focusable, so that the content can be scrolled by keyboard. */}
      <DialogContent tabIndex={0} sx={{ px: 1 }}>
        {open && <Settings />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('notifications.settings.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Settings(): ReactNode {
  const preferences = useQuery(preferencesQuery())
  const updating = useUpdatePreferences()
  const { showError } = useSnackbar()

  async function change(patch: NotificationPreferencesPatch): Promise<boolean> {
    try {
      await updating.mutateAsync(patch)
      return true
    } catch (error) {
      showError(messageOf(error, t('notifications.saveFailed')))
      return false
    }
  }

  if (preferences.data === undefined) {
    if (!preferences.isError) return notificationKinds.map((kind) => <Skeleton key={kind} height={64} sx={{ mx: 2 }} />)
    return (
      <ErrorAlert
        message={messageOf(preferences.error, t('notifications.loadFailed'))}
        onRetry={() => void preferences.refetch()}
        isRetrying={preferences.isFetching}
      />
    )
  }

  const { kinds, quiet_hours, hide_details } = preferences.data
  return (
    <>
      {notificationKinds.map((kind) => (
        <PreferenceSwitch
          key={kind}
          {...{
            label: t(`notifications.settings.kinds.${kind}.label`),
            text: t(`notifications.settings.kinds.${kind}.text`),
          }}
          checked={kinds[kind]}
          onChange={(checked) => void change({ kinds: { [kind]: checked } })}
        />
      ))}
      <Divider sx={{ mx: 2, my: 1 }} />
      <QuietHoursField quietHours={quiet_hours} onChange={(quiet_hours) => change({ quiet_hours })} />
      <PreferenceSwitch
        label={t('notifications.settings.hide')}
        text={t('notifications.settings.hideText')}
        checked={hide_details}
        onChange={(hide_details) => void change({ hide_details })}
      />
    </>
  )
}
