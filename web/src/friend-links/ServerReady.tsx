import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import ShareRounded from '@mui/icons-material/ShareRounded'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { diagnosticsQuery } from '../admin/server-status/diagnostics.api.ts'
import { serverOrigin } from '../api/base-address.ts'
import { clientConfigQuery } from '../api/client-config.ts'
import { t } from '../i18n/translate.ts'
import { Column } from '../ui/Column.tsx'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useTitle } from '../ui/use-title.ts'
import { QrCode } from './code/QrCode.tsx'
import { unreachableAddress } from './friend-link.rules.ts'
import { failureText, useCreateFriendLink } from './friend-links.api.ts'
import { useLinkSharing } from './use-link-sharing.ts'

/** The first screen of a new administrator, with a link for the first friends. */
export function ServerReady({ onDone }: { onDone: () => void }) {
  useTitle(t('friend-links.ready.title'))
  const creation = useCreateFriendLink()
  const publicUrl = useQuery(diagnosticsQuery()).data?.public_url
  const address = unreachableAddress(serverOrigin(), publicUrl)
  const heading = useRef<HTMLHeadingElement>(null)

  // The button that opened this screen is gone.
  useEffect(() => heading.current?.focus(), [])

  return (
    <Column>
      <Stack spacing={2.5}>
        <Typography ref={heading} tabIndex={-1} variant="h2" component="h1" sx={{ outline: 'none' }}>
          {t('friend-links.ready.title')}
        </Typography>
        {address !== null && (
          <Alert severity="warning" sx={{ overflowWrap: 'anywhere' }}>
            {t('friend-links.ready.unreachable', { address })}
          </Alert>
        )}
        {creation.isError && <ErrorAlert message={failureText(creation.error)} />}
        {creation.data ? (
          <Invitation url={creation.data.url} onChange={onDone} />
        ) : (
          <LoadingButton
            variant="contained"
            size="large"
            isWorking={creation.isPending}
            onClick={() => creation.mutate({ uses: 5, days: 7 })}
          >
            {t('friend-links.ready.invite')}
          </LoadingButton>
        )}
        <Button size="large" onClick={onDone}>
          {creation.data ? t('friend-links.link.done') : t('friend-links.ready.later')}
        </Button>
      </Stack>
    </Column>
  )
}

function Invitation({ url, onChange }: { url: string; onChange: () => void }) {
  const { canShare, share, copy } = useLinkSharing(url)
  const isClosed = useQuery({ ...clientConfigQuery(), refetchOnMount: 'always' }).data?.registration === 'closed'
  return (
    <Stack spacing={2} sx={{ alignItems: 'center' }} role="status">
      <QrCode text={url} name={t('friend-links.ready.qrName')} />
      <Typography color="textSecondary" sx={{ textAlign: 'center' }}>
        {t('friend-links.ready.uses')}
      </Typography>
      {isClosed && (
        <Typography color="textSecondary" sx={{ textAlign: 'center' }}>
          {t('friend-links.ready.closed')}{' '}
          <Button component={Link} to="/admin?tab=signups" onClick={onChange}>
            {t('friend-links.ready.change')}
          </Button>
        </Typography>
      )}
      <Stack direction="row" spacing={1.5} sx={{ justifyContent: 'center', flexWrap: 'wrap' }}>
        {canShare && (
          <Button variant="outlined" startIcon={<ShareRounded />} onClick={share}>
            {t('friend-links.link.share')}
          </Button>
        )}
        <Button variant="contained" startIcon={<ContentCopyRounded />} onClick={() => void copy()}>
          {t('friend-links.ready.copy')}
        </Button>
      </Stack>
    </Stack>
  )
}
