import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useServerNow } from '../api/server-time.ts'
import { shortListText } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { audienceOf } from '../pings/audience.ts'
import { isTemporary } from '../pings/ping-changes.ts'
import { myPingsQuery } from '../pings/pings.api.ts'
import { orderMine, statusAt } from '../pings/pings.rules.ts'
import { DeletePingDialog } from '../pings/view/DeletePingDialog.tsx'
import { StatusChip } from '../pings/view/StatusChip.tsx'
import { RowButton } from '../ui/settings/RowButton.tsx'
import { SettingsGroup } from '../ui/settings/SettingsGroup.tsx'

/** The user's live and scheduled pins with their audience, and their public links. Each is deleted here. */
export function OpenPins() {
  const pings = useQuery(myPingsQuery())
  const nowMs = useServerNow(1000)
  const [deleted, setDeleted] = useState<OwnPing | null>(null)
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const open =
    pings.data &&
    orderMine(pings.data, nowMs).filter((ping) => statusAt(ping, nowMs) !== 'expired' && !isTemporary(ping.id))

  function handleDelete(ping: OwnPing) {
    setDeleted(ping)
    setIsDialogOpen(true)
  }

  return (
    <>
      <SettingsGroup
        title={t('safety.openPins')}
        rows={{ ...pings, data: open }}
        failure={t('safety.openPinsFailed')}
        empty={t('safety.noOpenPins')}
        keyOf={({ id }) => id}
        renderRow={(ping) => (
          <>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <Typography sx={{ overflowWrap: 'anywhere' }}>
                  <bdi>{ping.name}</bdi>
                </Typography>
                <StatusChip status={statusAt(ping, nowMs)} />
              </Box>
              <Typography variant="body2" color="textSecondary">
                {audienceOf(ping, nowMs)}
              </Typography>
              {ping.is_public && ping.guest_policy !== 'off' && (
                <Typography variant="body2" color="textSecondary">
                  {t('safety.anyoneResponds')}
                </Typography>
              )}
              {ping.recipients.length > 0 && (
                <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                  {shortListText(ping.recipients.map((one) => one.recipient_display_name ?? one.recipient_username))}
                </Typography>
              )}
            </Box>
            <RowButton
              color="error"
              name={t('safety.deletePinOf', { name: ping.name })}
              label={t('safety.deletePin')}
              onClick={() => handleDelete(ping)}
            />
          </>
        )}
      />
      <Divider />
      <SettingsGroup
        title={t('safety.links')}
        rows={{ ...pings, data: open?.filter(({ is_public }) => is_public) }}
        failure={t('safety.openPinsFailed')}
        empty={t('safety.noLinks')}
        keyOf={({ id }) => id}
        renderRow={(ping) => (
          <>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ overflowWrap: 'anywhere' }}>{`${window.location.host}/pins/${ping.id}`}</Typography>
              <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                {t('safety.linkText', { pin: ping.name })}
              </Typography>
            </Box>
            <RowButton
              color="error"
              name={t('safety.endLinkOf', { pin: ping.name })}
              label={t('safety.endLink')}
              onClick={() => handleDelete(ping)}
            />
          </>
        )}
      />
      <DeletePingDialog open={isDialogOpen} ping={deleted} onClose={() => setIsDialogOpen(false)} />
    </>
  )
}
