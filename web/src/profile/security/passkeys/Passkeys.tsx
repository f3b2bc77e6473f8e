import type { Passkey } from '@hither/contract/auth/passkeys.ts'
import KeyRounded from '@mui/icons-material/KeyRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useServerNow } from '../../../api/server-time.ts'
import { t } from '../../../i18n/translate.ts'
import { nearDay, shortDate } from '../../../ui/format-time.ts'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { SettingsGroup } from '../../../ui/settings/SettingsGroup.tsx'
import { PasskeyMenu } from './PasskeyMenu.tsx'
import { passkeysQuery } from './passkeys.api.ts'
import { usePasskeyCreation } from './use-passkey-creation.tsx'

/** The viewer's passkeys, on servers and browsers that support them. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery())
  const { create, isCreating, question } = usePasskeyCreation()
  return (
    <>
      <SettingsGroup
        title={t('profile.signIn.passkeys')}
        rows={passkeys}
        failure={t('profile.signIn.passkeysFailed')}
        empty={t('profile.signIn.noPasskeys')}
        keyOf={({ id }) => id}
        renderRow={(passkey) => <PasskeyRow passkey={passkey} />}
        action={
          <LoadingButton isWorking={isCreating} onClick={() => void create()} sx={{ mx: 0.5, px: 1.5 }}>
            {t('profile.signIn.createPasskey')}
          </LoadingButton>
        }
      />
      {question}
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const nowMs = useServerNow(60_000)
  const { name, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  const created = shortDate(createdAt)
  return (
    <>
      <KeyRounded sx={{ color: 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {lastUsedAt === null
            ? t('profile.signIn.created', { day: created })
            : t('profile.signIn.createdAndUsed', { created, used: nearDay(lastUsedAt, nowMs) })}
        </Typography>
      </Box>
      <PasskeyMenu passkey={passkey} />
    </>
  )
}
