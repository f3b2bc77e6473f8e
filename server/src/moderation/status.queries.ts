import type { ServiceStatus } from '@hither/contract/moderation.ts'
import type { Db } from '../platform/db/database.ts'

type Counts = Omit<
  ServiceStatus,
  'version' | 'started_at' | 'database' | 'disk_free_bytes' | 'picture_bytes_per_user_max' | 'backups' | 'update'
>

/** Counts the rows of whole tables. For admins, not for health probes. */
export async function findCounts(db: Db, now: Date): Promise<Counts> {
  const [row] = await db<[Omit<Counts, 'waiting'> & Counts['waiting']]>`
    select
      split_part(current_setting('server_version'), ' ', 1) as database_version,
      pg_database_size(current_database())::float8 as database_bytes,
      (select count(*)::int from images) as pictures,
      (select coalesce(sum(bytes::float8 + thumb_bytes), 0) from images) as picture_bytes,
      (
        select coalesce(json_agg(row_to_json(most) order by most.picture_bytes desc), '[]') from (
          select u.username, sum(i.bytes::float8 + i.thumb_bytes) as picture_bytes
          from images i left join location_pins p on p.id = i.ping_id
          join users u on u.id = coalesce(i.user_id, i.uploaded_by, p.user_id)
          group by u.id order by picture_bytes desc limit 5
        ) most
      ) as most_pictures,
      (select count(*)::int from users) as users,
      (select count(*)::int from location_pins where expires_at > ${now}) as live_pings,
      (select count(*)::int from reports where outcome = 'open') as open_reports,
      (select count(*)::int from deliveries) as mails,
      (select count(*)::int from push_deliveries) as pushes,
      (select count(*)::int from erasures where due_at <= ${now}) as files_to_erase,
      (select mode from registration) as registration,
      (select member_invites from registration) as member_invites`
  const { mails, pushes, files_to_erase, ...counts } = row
  return { ...counts, waiting: { mails, pushes, files_to_erase } }
}
